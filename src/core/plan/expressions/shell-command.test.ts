import { describe, expect, test } from 'vitest';
import { execFileSync, spawnSync } from 'node:child_process';
import { need } from '../../../../test/needs.given.ts';
import { readCommandPlaces, renderCommand, renderScript, scriptThatFails } from './shell-command.ts';

const NASTY = `it's "$(id)" \`id\` $HOME ; rm -rf x`;
const scope = { v: NASTY, list: [1, 2], flag: true };

function commandOf(text: string): string {
  const rendered = renderCommand(text, scope);
  if (rendered.type === 'failed') return `refused: ${rendered.message}`;
  for (const value of Object.values(rendered.environment))
    expect([NASTY, '[1,2]', NASTY.toUpperCase()]).toContain(value);
  expect(rendered.command).not.toContain('rm -rf');
  return rendered.command;
}

describe('a value in a command travels in the environment', () => {
  test.each([
    ['echo {{ v }}', 'echo "$HEDDLE_VALUE_1"'],
    ['echo "a {{ v }} b"', 'echo "a ${HEDDLE_VALUE_1} b"'],
    [`echo 'a {{ v }} b'`, `echo 'a '"$HEDDLE_VALUE_1"' b'`],
    [`echo $'a\\n{{ v }}'`, `echo $'a\\n'"$HEDDLE_VALUE_1"$''`],
    ['X={{ v }} npm test -- {{ list }}', 'X="$HEDDLE_VALUE_1" npm test -- "$HEDDLE_VALUE_2"'],
    ['echo {{ v | upcase }}', 'echo "$HEDDLE_VALUE_1"'],
    ['echo "$(printf %s {{ v }})"', 'echo "$(printf %s "$HEDDLE_VALUE_1")"'],
    ['echo "$(printf "%s" "{{ v }}") {{ v }}"', 'echo "$(printf "%s" "${HEDDLE_VALUE_1}") ${HEDDLE_VALUE_2}"'],
    [`# don't\necho {{ v }}`, `# don't\necho "$HEDDLE_VALUE_1"`],
    [`echo it\\'s {{ v }}`, `echo it\\'s "$HEDDLE_VALUE_1"`],
    ['echo \\\\{{ v }}', 'echo \\\\"$HEDDLE_VALUE_1"'],
    [
      'cat <<EOF > f\na "{{ v }}"\nEOF\necho {{ v }}',
      'cat <<EOF > f\na "${HEDDLE_VALUE_1}"\nEOF\necho "$HEDDLE_VALUE_2"',
    ],
    ['cat <<-EOF\n\t{{ v }}\n\tEOF\necho {{ v }}', 'cat <<-EOF\n\t${HEDDLE_VALUE_1}\n\tEOF\necho "$HEDDLE_VALUE_2"'],
    ['cat <<A <<B\n{{ v }}\nA\n{{ v }}\nB\n', 'cat <<A <<B\n${HEDDLE_VALUE_1}\nA\n${HEDDLE_VALUE_2}\nB\n'],
    ['cat <<< {{ v }}', 'cat <<< "$HEDDLE_VALUE_1"'],
    ['{% if flag %}echo {{ v }}{% else %}true{% endif %}', 'echo "$HEDDLE_VALUE_1"'],
    [`bash -c 'echo "$1"' _ {{ v }}`, `bash -c 'echo "$1"' _ "$HEDDLE_VALUE_1"`],
    ['[[ -f x ]] && echo {{ v }}', '[[ -f x ]] && echo "$HEDDLE_VALUE_1"'],
    ['echo $((1 + (2))) {{ v }}', 'echo $((1 + (2))) "$HEDDLE_VALUE_1"'],
    ['echo ${HOME} `id` {{ v }}', 'echo ${HOME} `id` "$HEDDLE_VALUE_1"'],
    ['grep -e {{ v }} bash', 'grep -e "$HEDDLE_VALUE_1" bash'],
    [
      'echo "$(case x in x) echo {{ v }};; esac) {{ v }}"',
      'echo "$(case x in x) echo "$HEDDLE_VALUE_1";; esac) ${HEDDLE_VALUE_2}"',
    ],
    [
      'echo "$( (cd x; ls) ; echo {{ v }}) {{ v }}"',
      'echo "$( (cd x; ls) ; echo "$HEDDLE_VALUE_1") ${HEDDLE_VALUE_2}"',
    ],
    ['python -m pytest -p {{ v }}', 'python -m pytest -p "$HEDDLE_VALUE_1"'],
    ['bash deploy.sh -c {{ v }}', 'bash deploy.sh -c "$HEDDLE_VALUE_1"'],
    ['bash -e {{ v }}', 'bash -e "$HEDDLE_VALUE_1"'],
    ['(cd x; echo {{ v }})', '(cd x; echo "$HEDDLE_VALUE_1")'],
    ['eval "$X"; echo {{ v }}', 'eval "$X"; echo "$HEDDLE_VALUE_1"'],
    ['echo hello', 'echo hello'],
    [`echo '{{ v }}' {{ v }}`, `echo ''"$HEDDLE_VALUE_1"'' "$HEDDLE_VALUE_2"`],
    [`X={{ v }} awk '{ print ENVIRON["X"] }' f`, `X="$HEDDLE_VALUE_1" awk '{ print ENVIRON["X"] }' f`],
    [`awk -v x={{ v }} '{ print x }' {{ v }}`, `awk -v x="$HEDDLE_VALUE_1" '{ print x }' "$HEDDLE_VALUE_2"`],
    ['awk -f prog.awk {{ v }}', 'awk -f prog.awk "$HEDDLE_VALUE_1"'],
    [`sed -n 's/a/b/p' {{ v }}`, `sed -n 's/a/b/p' "$HEDDLE_VALUE_1"`],
    [`sed -i -e 's/a/b/' {{ v }}`, `sed -i -e 's/a/b/' "$HEDDLE_VALUE_1"`],
    [`jq --arg x {{ v }} '.a = $x' {{ v }}`, `jq --arg x "$HEDDLE_VALUE_1" '.a = $x' "$HEDDLE_VALUE_2"`],
    ['git -c user.name={{ v }} commit -m {{ v }}', 'git -c user.name="$HEDDLE_VALUE_1" commit -m "$HEDDLE_VALUE_2"'],
    ['git switch -c {{ v }}', 'git switch -c "$HEDDLE_VALUE_1"'],
    ['git config user.name {{ v }}', 'git config user.name "$HEDDLE_VALUE_1"'],
    ['git cherry-pick -x {{ v }}', 'git cherry-pick -x "$HEDDLE_VALUE_1"'],
    ['npx jest -c {{ v }}', 'npx jest -c "$HEDDLE_VALUE_1"'],
    ['yarn exec eslint {{ v }}', 'yarn exec eslint "$HEDDLE_VALUE_1"'],
    ['yarn test {{ v }}', 'yarn test "$HEDDLE_VALUE_1"'],
    ['pnpm exec jest -c {{ v }}', 'pnpm exec jest -c "$HEDDLE_VALUE_1"'],
    ['tee >(wc -l) <<< {{ v }}', 'tee >(wc -l) <<< "$HEDDLE_VALUE_1"'],
    ['tee >(sh); echo {{ v }}', 'tee >(sh); echo "$HEDDLE_VALUE_1"'],
    ['npm run eval -- {{ v }}', 'npm run eval -- "$HEDDLE_VALUE_1"'],
    ['npm run watch {{ v }}', 'npm run watch "$HEDDLE_VALUE_1"'],
    ['make {{ v }}', 'make "$HEDDLE_VALUE_1"'],
    ['ssh {{ v }}', 'ssh "$HEDDLE_VALUE_1"'],
    ['echo {{ v }} | python3 read.py', 'echo "$HEDDLE_VALUE_1" | python3 read.py'],
    ['echo {{ v }} | jq .', 'echo "$HEDDLE_VALUE_1" | jq .'],
    [`echo {{ v }} | xargs sh -c 'echo "$1"' _`, `echo "$HEDDLE_VALUE_1" | xargs sh -c 'echo "$1"' _`],
    ['echo {{ v }} || bash', 'echo "$HEDDLE_VALUE_1" || bash'],
    ['echo {{ v }}; echo x | bash', 'echo "$HEDDLE_VALUE_1"; echo x | bash'],
    [`echo {{ v }} | node -e 'read()'`, `echo "$HEDDLE_VALUE_1" | node -e 'read()'`],
    ['diff <(echo {{ v }}) f', 'diff <(echo "$HEDDLE_VALUE_1") f'],
    ['export X={{ v }}', 'export X="$HEDDLE_VALUE_1"'],
    ['[ -f {{ v }} ]', '[ -f "$HEDDLE_VALUE_1" ]'],
    ['psql -v name={{ v }} -f q.sql', 'psql -v name="$HEDDLE_VALUE_1" -f q.sql'],
    ['docker run -e X={{ v }} image sh run.sh', 'docker run -e X="$HEDDLE_VALUE_1" image sh run.sh'],
    ['python3 tool.py -c {{ v }}', 'python3 tool.py -c "$HEDDLE_VALUE_1"'],
    [`X={{ v }}; sh -c 'echo "$1"' _ "$X"`, `X="$HEDDLE_VALUE_1"; sh -c 'echo "$1"' _ "$X"`],
    [`export X={{ v }}; sh -c 'echo "$X"'`, `export X="$HEDDLE_VALUE_1"; sh -c 'echo "$X"'`],
    [
      'X={{ v }}; [[ $X == a ]] && echo `echo "$X"` ${X%a}',
      'X="$HEDDLE_VALUE_1"; [[ $X == a ]] && echo `echo "$X"` ${X%a}',
    ],
    ['X={{ v }}; awk -v x="$X" "{ print x }" f', 'X="$HEDDLE_VALUE_1"; awk -v x="$X" "{ print x }" f'],
    [`X={{ v }}\ncat <<'EOF' | sh\necho $X\nEOF`, `X="$HEDDLE_VALUE_1"\ncat <<'EOF' | sh\necho $X\nEOF`],
    ['f() { echo "$1"; }; f {{ v }}', 'f() { echo "$1"; }; f "$HEDDLE_VALUE_1"'],
    ['set -- {{ v }}; npm test -- "$@"', 'set -- "$HEDDLE_VALUE_1"; npm test -- "$@"'],
    ['list=({{ v }}); npm test "${list[@]}"', 'list=("$HEDDLE_VALUE_1"); npm test "${list[@]}"'],
    ['read -r a b <<< {{ v }}; echo "$a"', 'read -r a b <<< "$HEDDLE_VALUE_1"; echo "$a"'],
    ['echo {{ v }} | while read -r f; do ls "$f"; done', 'echo "$HEDDLE_VALUE_1" | while read -r f; do ls "$f"; done'],
    ['"$PYTHON" -m pytest -k {{ v }}', '"$PYTHON" -m pytest -k "$HEDDLE_VALUE_1"'],
    ['"$ROOT/tool" -c {{ v }}', '"$ROOT/tool" -c "$HEDDLE_VALUE_1"'],
    ['awk -f p.awk <<< {{ v }}', 'awk -f p.awk <<< "$HEDDLE_VALUE_1"'],
    ['git clone -q {{ v }}', 'git clone -q "$HEDDLE_VALUE_1"'],
    ['scp {{ v }} host:x', 'scp "$HEDDLE_VALUE_1" host:x'],
    ['mlr --icsv filter "$x > 1" {{ v }}', 'mlr --icsv filter "$x > 1" "$HEDDLE_VALUE_1"'],
    ['# {{ v }}\nnpm test {{ v }}', '# "$HEDDLE_VALUE_1"\nnpm test "$HEDDLE_VALUE_2"'],
    ['bash run.sh <<EOF\n{{ v }}\nEOF', 'bash run.sh <<EOF\n${HEDDLE_VALUE_1}\nEOF'],
    ['python3 read.py <<< {{ v }}', 'python3 read.py <<< "$HEDDLE_VALUE_1"'],
    ['ssh host "cat > f" <<< {{ v }}', 'ssh host "cat > f" <<< "$HEDDLE_VALUE_1"'],
    ['node read.mjs <(echo {{ v }})', 'node read.mjs <(echo "$HEDDLE_VALUE_1")'],
    ['npm test 2>&1 > {{ v }}', 'npm test 2>&1 > "$HEDDLE_VALUE_1"'],
    [`bash -c 'npm test "$1"' bash {{ v }}`, `bash -c 'npm test "$1"' bash "$HEDDLE_VALUE_1"`],
    [`X={{ v }} sh -c 'npm test "$X"'`, `X="$HEDDLE_VALUE_1" sh -c 'npm test "$X"'`],
    ['run() { "$@"; }; run {{ v }}', 'run() { "$@"; }; run "$HEDDLE_VALUE_1"'],
    [
      'while read -r l; do ls "$l"; done <<EOF\n{{ v }}\nEOF',
      'while read -r l; do ls "$l"; done <<EOF\n${HEDDLE_VALUE_1}\nEOF',
    ],
    [
      'list=({{ v }}); for n in "${!list[@]}"; do echo "$n"; done',
      'list=("$HEDDLE_VALUE_1"); for n in "${!list[@]}"; do echo "$n"; done',
    ],
    [
      'X={{ v }}; case $X in $X) echo "${X:-a} ${X:0:3} ${#X}";; esac',
      'X="$HEDDLE_VALUE_1"; case $X in $X) echo "${X:-a} ${X:0:3} ${#X}";; esac',
    ],
    ['echo {{ v }} | xargs -n1 npm test --', 'echo "$HEDDLE_VALUE_1" | xargs -n1 npm test --'],
    ['git apply <<< {{ v }}', 'git apply <<< "$HEDDLE_VALUE_1"'],
  ])('%s', (text, command) => {
    expect(commandOf(text)).toBe(command);
  });
});

describe('a value that no quoting can keep from being code is refused', () => {
  test.each([
    ['echo `echo {{ v }}`', 'backticks'],
    ['echo $(( {{ v }} + 1 ))', 'arithmetic'],
    ['(( x = {{ v }} ))', 'arithmetic'],
    ['echo ${X:-{{ v }}}', '${ … }'],
    ['eval {{ v }}', 'eval'],
    ['eval "$(echo {{ v }})"', 'eval'],
    ['let x={{ v }}', 'let'],
    ['ssh host "ls {{ v }}"', 'ssh'],
    ['bash -c "echo {{ v }}"', 'bash -c'],
    [`sudo sh -ec 'echo {{ v }}'`, 'sh -ec'],
    ['python3 -c "print({{ v }})"', 'python3 -c'],
    ['node -e "{{ v }}"', 'node -e'],
    ['perl -i -pe "{{ v }}" file', 'perl -pe'],
    ['bash -o pipefail -c "{{ v }}"', 'bash -c'],
    ['su - user -c {{ v }}', 'su -c'],
    ['docker exec box /bin/sh -c "{{ v }}"', '/bin/sh -c'],
    ['bash <<EOF\n{{ v }}\nEOF', 'bash'],
    ['bash <<< {{ v }}', 'bash'],
    [`cat <<'EOF'\n{{ v }}\nEOF`, 'quoted'],
    ['cat <<\\EOF\n{{ v }}\nEOF', 'quoted'],
    ['cat <<EOF\n$(( {{ v }} ))\nEOF', 'arithmetic'],
    ['[[ {{ v }} -eq 1 ]]', '[[ … ]]'],
    ['[[ a || {{ v }} ]]', '[[ … ]]'],
    ['a[{{ v }}]=1', 'subscript'],
    ['echo \\{{ v }}', 'directly after'],
    ['echo ${{ v }}', 'directly after'],
    ['echo "\\{{ v }}"', 'directly after'],
    [`awk '/{{ v }}/' f`, 'awk'],
    [`awk -F, '{{ v }}' f`, 'awk'],
    [`gawk -e '{{ v }}'`, 'gawk -e'],
    [`sed "s/x/{{ v }}/" f`, 'sed'],
    [`sed -i -e 's/x/{{ v }}/' f`, 'sed -e'],
    [`sed f -e 's/x/{{ v }}/'`, 'sed -e'],
    [`sed --expression='{{ v }}' f`, 'sed --expression='],
    ['npx -c {{ v }}', 'npx'],
    ['npm exec -c {{ v }}', 'npm'],
    ['yarn exec {{ v }}', 'yarn'],
    ['pnpm -c exec {{ v }}', 'pnpm'],
    ['pnpm --filter web exec --shell-mode echo {{ v }}', 'pnpm'],
    ['tee >(sh) <<< {{ v }}', 'sh'],
    ['echo {{ v }} | tee >(grep -v x | bash -s) f', 'bash'],
    ['tee >(sh) <<E\n{{ v }}\nE', 'sh'],
    ['echo {{ v }} > >(sh)', 'sh'],
    ['tee >(read X; eval "$X") <<< {{ v }}', 'eval'],
    ['tee >(xargs -I{} sh -c {}) <<< {{ v }}', 'sh'],
    ['npm exec --call="{{ v }}"', 'npm --call='],
    ['python3 -c"{{ v }}"', 'python3 -c'],
    ['/usr/bin/python3.12 -c {{ v }}', 'python3.12 -c'],
    ['node --eval="{{ v }}"', 'node --eval='],
    ['node -p {{ v }}', 'node -p'],
    ['poetry run python -c {{ v }}', 'python -c'],
    ['timeout 5 nice -n 3 bash -c {{ v }}', 'bash -c'],
    ['docker run --rm image sh -c "{{ v }}"', 'sh -c'],
    ['find . -exec sh -c "{{ v }}" \\;', 'sh -c'],
    ['ls | xargs -n1 bash -c "{{ v }}"', 'bash -c'],
    ['git -c core.sshCommand={{ v }} fetch', 'git'],
    ['git -c {{ v }} status', 'git'],
    ['git config alias.x {{ v }}', 'git'],
    ['git rebase -x {{ v }} main', 'git'],
    ['git bisect run {{ v }}', 'git'],
    ['make AREA={{ v }}', 'make'],
    ['AREA={{ v }} make', 'make'],
    ['env AREA="{{ v }}" gmake -j4 all', 'gmake'],
    ['export AREA={{ v }}\nmake', 'make'],
    ['AREA="$(echo {{ v }})" nice make', 'make'],
    ['AREA={{ v }}; cd x && make', 'make'],
    ['docker run -e AREA={{ v }} image make', 'make'],
    ['MAKEFILES={{ v }} ./build.sh', 'MAKEFILES'],
    ['just test {{ v }}', 'just'],
    ['task build AREA={{ v }}', 'task'],
    ['AREA={{ v }} task build', 'task'],
    ['env -S {{ v }}', 'env -S'],
    ['php -r {{ v }}', 'php -r'],
    ['lua5.4 -e {{ v }}', 'lua5.4 -e'],
    [`psql -c "select '{{ v }}'"`, 'psql -c'],
    [`psql shop -c "select '{{ v }}'"`, 'psql -c'],
    [`mysql -e"{{ v }}"`, 'mysql -e'],
    [`sqlite3 shop.db "select '{{ v }}'"`, 'sqlite3'],
    [`jq '.{{ v }}' f`, 'jq'],
    [`jq --arg x y '.{{ v }}' f`, 'jq'],
    ['vim -c {{ v }} f', 'vim -c'],
    ['tmux send-keys {{ v }}', 'tmux'],
    ['sudo ssh host {{ v }}', 'ssh'],
    ['ssh -o ProxyCommand={{ v }} host', 'ssh -o'],
    ['printf -v {{ v }} x', 'printf'],
    ['[ -v {{ v }} ]', '['],
    ['read {{ v }}', 'read'],
    ['declare {{ v }}=1', 'declare'],
    ['declare -i x={{ v }}', 'declare'],
    ['unset {{ v }}', 'unset'],
    ['alias x={{ v }}', 'alias'],
    ['BASH_ENV={{ v }} bash run.sh', 'BASH_ENV'],
    ['GIT_SSH_COMMAND={{ v }} git fetch', 'GIT_SSH_COMMAND'],
    ['trap {{ v }} EXIT', 'trap'],
    ['echo {{ v }} | bash', 'bash'],
    ['echo {{ v }} | tee f | sudo bash -s -- x', 'bash'],
    ['(echo {{ v }}; echo x) | sh', 'sh'],
    ['for x in a; do echo {{ v }}; done | sh', 'sh'],
    ['echo "$(echo {{ v }} | python3 -)"', 'python3'],
    ['echo {{ v }} | ssh host', 'ssh'],
    [`echo {{ v }} | xargs -I{} sh -c 'echo {}'`, 'sh'],
    ['cat <<EOF | bash\n{{ v }}\nEOF', 'bash'],
    ['psql <<EOF\n{{ v }}\nEOF', 'psql'],
    ['bash <(echo {{ v }})', 'bash'],
    ['source <(echo {{ v }})', 'source'],
    ['deno eval {{ v }}', 'deno'],
    ['tar -cf a.tar --checkpoint-action=exec={{ v }} f', 'tar'],
    ['tar -xf a.tar -I {{ v }}', 'tar -I'],
    ['rsync -ave {{ v }} a b', 'rsync -ave'],
    ['sort --compress-program={{ v }} f', 'sort'],
    ['rg --pre {{ v }} x', 'rg --pre'],
    ['go test -exec {{ v }} ./...', 'go -exec'],
    ['nix eval --expr {{ v }}', 'nix --expr'],
    ['ansible all -m shell -a {{ v }}', 'ansible -a'],
    ['pwsh -Command {{ v }}', 'pwsh -Command'],
    ['m4 -DX={{ v }} f', 'm4'],
    ['ed -s f <<< {{ v }}', 'ed'],
    ['java -javaagent:{{ v }} Main', 'java'],
    ['socat - EXEC:{{ v }}', 'socat'],
    ['redis-cli eval {{ v }} 0', 'redis-cli'],
    ['clickhouse-client -q {{ v }}', 'clickhouse-client -q'],
    ['{% capture c %}{{ v }}{% endcapture %}echo {{ c }}', 'capture'],
    ['scp -o ProxyCommand={{ v }} a host:', 'scp -o'],
    [`rename 's/x/{{ v }}/' *.txt`, 'rename'],
    ['hyperfine {{ v }}', 'hyperfine'],
    ['npx concurrently "{{ v }}"', 'concurrently'],
    ['python manage.py shell -c {{ v }}', 'manage.py -c'],
    ['bin/rails runner {{ v }}', 'bin/rails'],
    [`mlr filter '$x == "{{ v }}"' f.csv`, 'mlr'],
    ['git clone -c core.sshCommand={{ v }} url', 'git'],
    ['git grep -O{{ v }} x', 'git -O'],
    ['cqlsh -e {{ v }}', 'cqlsh -e'],
    ['X={{ v }}; eval "$X"', 'in `$X`, which stands after `eval`'],
    ['X={{ v }}\nbash -c "echo $X"', 'bash -c'],
    ['export X={{ v }} && awk "/${X}/" f', 'awk'],
    ['X="$(echo {{ v }} | tr a b)"; Y=a$X; sed -e "s/b/${Y%x}/" f', 'sed -e'],
    ['X={{ v }}; echo $((X + 1))', 'arithmetic'],
    ['X={{ v }}; (( $X > 1 ))', 'arithmetic'],
    ['X={{ v }}; [[ $X -gt 1 ]]', '[[ … ]]'],
    ['X={{ v }}; echo "$X" | bash', 'bash'],
    ['X={{ v }}\nssh host <<EOF\nls $X\nEOF', 'ssh'],
    ['for x in a {{ v }}; do eval $x; done', 'eval'],
    ['echo {{ v }} | while read -r x; do sh -c "$x"; done', 'sh -c'],
    ['read -r a x <<< {{ v }}; eval "$x"', 'eval'],
    ['list=(a {{ v }}); eval "${list[1]}"', 'eval'],
    ['printf -v x %s {{ v }}; eval "$x"', 'eval'],
    ['f() { eval "$1"; }; f {{ v }}', 'in `$@`, which stands after `eval`'],
    ['set -- {{ v }}; sh -c "$*"', 'sh -c'],
    ['"$SHELL" -c {{ v }}', '$SHELL -c'],
    ['${PYTHON:-python3} -c {{ v }}', '-c'],
    ['$(which python3) -c {{ v }}', '-c'],
    ['\\python3 -c {{ v }}', 'python3 -c'],
    ['make -f - <<< {{ v }}', 'make'],
    ['echo {{ v }} | sed -f - f', 'sed'],
    ['awk -f <(echo {{ v }}) f', 'awk'],
    ['. /dev/stdin <<< {{ v }}', '.'],
    ['echo {{ v }} | xargs -0 bash -c', 'bash'],
    ['ruby -r json -e {{ v }}', 'ruby -e'],
    ['node --env-file .env -e {{ v }}', 'node -e'],
    ['perl -M{{ v }} x', 'perl -M'],
    ['npm --script-shell={{ v }} test', 'npm --script-shell='],
    ['yq eval {{ v }} f', 'yq'],
    ['pandoc --filter {{ v }} f', 'pandoc --filter'],
    ['fzf --preview={{ v }}', 'fzf --preview='],
    ['python3 -m timeit {{ v }}', 'python3'],
    ['nu -c {{ v }}', 'nu -c'],
    ['RUSTC_WRAPPER={{ v }} cargo build', 'RUSTC_WRAPPER'],
    ["awk \\\n  '/{{ v }}/' f", 'awk'],
    ['ba\\\nsh \\\n -c {{ v }}', 'bash -c'],
    ['\\eval {{ v }}', 'eval'],
    ['2>/dev/null eval {{ v }}', 'eval'],
    ['bash 2>&1 -c {{ v }}', 'bash -c'],
    ['awk < f 2>log {{ v }}', 'awk'],
    ['bash -c &>log {{ v }}', 'bash -c'],
    ['sh -c -- {{ v }}', 'sh -c'],
    ['sudo sh < <(echo {{ v }})', 'sh'],
    ['ssh host bash <<EOF\n{{ v }}\nEOF', 'bash'],
    ['ex -s f <<EOF\n{{ v }}\nEOF', 'ex'],
    ['$(echo {{ v }}) x', 'takes its words for a command'],
    ['X={{ v }}; timeout 5 $X', 'in `$X`, which stands where the shell takes its words for a command'],
    ['X={{ v }}; `echo $X`', 'takes its words for a command'],
    ['echo {{ v }} | while read -r l; do $l; done', 'takes its words for a command'],
    ['run() { $@; }; run {{ v }}', 'takes its words for a command'],
    ['echo $[ {{ v }} ]', 'arithmetic'],
    ['declare -i n; n={{ v }}', 'in `n`, which the shell evaluates as a number'],
    ['X={{ v }}; echo ${!X}', 'where the shell evaluates it'],
    ['X={{ v }}; echo ${X@P}', 'where the shell evaluates it'],
    ['X={{ v }}; echo ${a[$X]}', 'where the shell evaluates it'],
    ['X={{ v }}; echo ${a:X:1}', 'where the shell evaluates it'],
    ['X={{ v }}; let y=X', 'where the shell evaluates it'],
    ['compgen -W {{ v }}', 'compgen'],
    ['while read -r l; do eval "$l"; done <<< {{ v }}', 'eval'],
    ['while read -r l; do eval "$l"; done <<EOF\n{{ v }}\nEOF', 'eval'],
    ['while read -r l; do sh -c "$l"; done < <(echo {{ v }})', 'sh -c'],
    ['echo {{ v }} | (cd x; read -r l; eval "$l")', 'eval'],
    ['x=$(cat <<EOF\n{{ v }}\nEOF\n); eval "$x"', 'eval'],
    ['X={{ v }}; eval "${Y:-$X}"', 'eval'],
    ['X={{ v }}; echo "${Y:-$(sh -c "$X")}"', 'sh -c'],
    ['X={{ v }}; Y=`echo $X`; eval "$Y"', 'eval'],
    ['X={{ v }}; echo `sed "$X" f`', 'sed'],
    [`sh -c 'eval "$1"' _ {{ v }}`, 'in `$@`, which stands after `eval`'],
    [`X={{ v }} bash -c 'awk "/$X/" f'`, 'awk'],
    [`find . -exec sh -c 'sed "s/a/$1/" f' _ {{ v }} \\;`, 'sed'],
    [`X={{ v }}; ls | xargs -I{} sh -c 'python3 -c "$X"' {}`, 'python3 -c'],
  ])('%s', (text, words) => {
    const command = commandOf(text);
    expect(command).toContain('refused');
    expect(command).toContain(words);
  });

  test.each([
    ['make {{ v }}', 'all', '--eval=$(shell id)'],
    ['make -j4 -C x "{{ v }}"', 'all', 'X=$(shell id)'],
    ['ssh {{ v }}', 'host', '-oProxyCommand=id'],
    [`sed -n 's/a/b/p' {{ v }}`, 'file', '--expression=1e id'],
    ['git fetch {{ v }}', 'origin', '--upload-pack=id'],
    ['vim {{ v }}', 'file', '+!id'],
    ['tar -cf a.tar {{ v }}', 'file', '-Ish x'],
    ['rsync {{ v }} a b', 'c', '--rsh=sh x'],
    ['X={{ v }}; ssh "$X"', 'host', '-oProxyCommand=id'],
    ['scp {{ v }} host:x', 'file', '-oProxyCommand=id'],
    ['echo {{ v }} | xargs sh', 'a.sh b.sh', 'a.sh -c id'],
    ['X={{ v }}; git fetch $X', 'origin main', 'origin --upload-pack=id'],
    ['sed -n p {{ v }}', '- a list', '-e1e id'],
  ])('%s with a value that would be an option or an assignment there', (text, harmless, code) => {
    expect(renderCommand(text, { v: harmless }).type).toBe('rendered');
    expect(renderCommand(text, { v: code })).toMatchObject({ type: 'failed', reason: 'unsafe' });
  });

  test('a value with a dash is a word like others after `--`, after an option, and for programs that run no code', () => {
    const texts = ['git commit -m {{ v }}', 'sed -n p -- {{ v }}', 'ls {{ v }}', 'npm run x -- {{ v }}'];
    const more = ['tar -cf a.tar -- {{ v }}', 'go test -run {{ v }}', 'echo sort {{ v }}', 'java -jar x.jar {{ v }}'];
    for (const text of [...texts, ...more]) expect(renderCommand(text, { v: '--eval=x' }).type).toBe('rendered');
  });

  test('make evaluates what its environment holds, so that a value there is code', (context) => {
    const isThere = spawnSync('make', ['--version']).status === 0;
    need(context, { name: 'other', missing: isThere ? undefined : 'there is no make here' });
    const input = 'all:\n\t@echo $(X)\n';
    const { stdout } = spawnSync('make', ['-f', '-'], { input, env: { ...process.env, X: '$(shell echo a; echo b)' } });
    expect(stdout.toString()).toBe('a b\n');
  });

  test('a NUL character cannot travel', () => {
    expect(renderCommand('echo \0', {})).toMatchObject({ reason: 'syntax' });
    expect(renderCommand('echo {{ a }}', { a: 'x\0y' })).toMatchObject({ reason: 'wrong-type' });
  });

  test('a value larger than an environment can carry is refused by size', () => {
    expect(renderCommand('echo {{ a }}', { a: 'é'.repeat(60_001) })).toMatchObject({ reason: 'limit' });
    expect(renderCommand('echo {{ a }}', { a: '语'.repeat(40_001) })).toMatchObject({ reason: 'limit' });
    expect(renderCommand('echo {{ a }}', { a: '😀'.repeat(29_000) })).toMatchObject({ type: 'rendered' });
    expect(renderCommand('echo ' + '{{ a }} '.repeat(10), { a: 'x'.repeat(110_000) })).toMatchObject({
      reason: 'limit',
    });
  });

  test('a missing name fails the command', () => {
    expect(renderCommand('echo {{ a.b }}', { a: {} })).toMatchObject({ reason: 'missing-name', name: 'a.b' });
  });
});

describe('faults of a command that are found before the run', () => {
  test('a position where no value is possible is reported with its offset', () => {
    expect(readCommandPlaces('echo {{ a }} `x {{ b }}`')).toEqual([
      { why: 'inside backticks; write `$( … )` instead', offset: 16 },
    ]);
  });

  test('a safe command, one without values and one whose text depends on values say nothing', () => {
    expect(readCommandPlaces('echo {{ a }}')).toEqual([]);
    expect(readCommandPlaces('echo `date`')).toEqual([]);
    expect(readCommandPlaces('{% if a %}`{% endif %}{{ a }}')).toEqual([]);
  });
});

describe('a command as one text', () => {
  test('holds its values and gives them to the shell as they are', () => {
    const value = `${NASTY}\n'' \\ $'x'`;
    const script = renderScript(`printf '%s|' {{ v }} "{{ v }}" 'a {{ v }}'`, { v: value });
    expect(script.type === 'rendered' && execFileSync('sh', ['-c', script.script]).toString()).toBe(
      `${value}|${value}|a ${value}|`,
    );
    expect(renderScript('make', {})).toEqual({ type: 'rendered', script: 'make' });
  });

  test('is refused where it cannot be rendered or is too large', () => {
    expect(renderScript('echo {{ a }}', {})).toMatchObject({ reason: 'missing-name' });
    expect(renderScript('echo {{ a }} {{ a }}', { a: 'x'.repeat(70_000) })).toMatchObject({ reason: 'limit' });
  });

  test('that could not be rendered fails and says why', () => {
    const { status, stderr } = spawnSync('sh', ['-c', scriptThatFails(`it's $(gone)`)]);
    expect([status, stderr.toString()]).toEqual([1, "it's $(gone)\n"]);
  });
});
