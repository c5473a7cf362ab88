import { describe, expect, test } from 'vitest';
import { execFileSync, spawnSync } from 'node:child_process';
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
    ['{% capture c %}{{ v }}{% endcapture %}echo {{ c }}', 'capture'],
  ])('%s', (text, words) => {
    const command = commandOf(text);
    expect(command).toContain('refused');
    expect(command).toContain(words);
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

describe('what is wrong with a command can be told before the run', () => {
  test('a place where no value can stand is told with its offset', () => {
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
