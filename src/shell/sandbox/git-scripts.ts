// Scripts that Heddle runs inside a place. Files that an agent could have written are examined here and nowhere else,
// so that whatever it planted runs where the agent ran.

/**
 * Git reads from the settings of a submodule which programs to start when it looks for changes in it, and an agent may
 * have made the repository there. So only its commit is read, and it is hidden from git while the rest is examined.
 */
const HIDE_SUBMODULES = `if [ -s "$links" ]; then
  xargs -0 sh -c 'for entry; do path=\${entry#*"\t"}; [ ! -e "$path/.git" ] || printf "%s\\0" "$path"; done' sh < "$links" > "$links.held"
  xargs -0 -r sh -c 'for path; do
    now=$(git -C "$path" rev-parse -q --verify HEAD 2>/dev/null) || continue
    git --git-dir="$k" update-index --cacheinfo "160000,$now,$path"
  done' sh < "$links.held" >&2
  g update-index --skip-worktree -z --stdin < "$links.held" >&2
fi`;

const SHOW_SUBMODULES = `if [ -s "$links.held" ]; then g update-index --no-skip-worktree -z --stdin < "$links.held" >&2; fi`;

/**
 * Git ignores files in the empty folder of a submodule, and they would be lost with the sandbox. Files that set-up puts
 * there are ignored.
 */
const REFUSE_FILES_IN_SUBMODULES = `if [ -s "$links" ]; then
  xargs -0 sh -c 'for entry; do
    path=./\${entry#*"\t"}
    if [ -d "$path" ] && [ ! -L "$path" ] && [ ! -e "$path/.git" ]; then find "$path" ! -type d -print0; fi
  done' sh < "$links" > "$links.inside"
  if [ -s "$links.inside" ]; then
    g check-ignore --no-index -z --stdin < "$links.inside" > "$links.ignored" || [ $? -eq 1 ]
    if ! cmp -s "$links.inside" "$links.ignored"; then
      first=$(tr '\\0' '\\n' < "$links.inside" | head -n 1)
      echo "in a submodule: $first" >&2; exit 1
    fi
  fi
fi`;

/** Brings the tree into the index. */
const LOOK_AT_ALL = `submodules > "$links"
${REFUSE_FILES_IN_SUBMODULES}
${HIDE_SUBMODULES}
g add -A . >&2
${SHOW_SUBMODULES}
submodules | sort -z > "$links.after"
sort -z "$links" | comm -z -13 - "$links.after" > "$links.other"
if [ -s "$links.other" ]; then isKept=; fi
rm -f "$links" "$links".*`;

/**
 * Examines only the listed paths; git decides which untracked ones are ignored. Names that git reserves are skipped
 * with a message, where examining everything would fail.
 */
const LOOK_AT_LISTED = `come="$l/come"
if [ -s "$l/fresh" ]; then
  g check-ignore -z --stdin < "$l/fresh" > "$l/ignored" || [ $? -eq 1 ]
  if [ -s "$l/ignored" ]; then
    come="$l/known"
    tr '\\0' '\\n' < "$l/ignored" > "$l/lines"
    grep -zvxF -f "$l/lines" "$l/fresh" >> "$come" || [ $? -eq 1 ]
  fi
fi
if [ -s "$l/gone" ]; then g update-index --force-remove -z --stdin < "$l/gone" >&2; fi
if [ -s "$come" ]; then
  g update-index --add --remove --replace -z --stdin < "$come" 2> "$l/said" >&2 || { cat "$l/said" >&2; exit 1; }
  if grep -q '^Ignoring path' "$l/said"; then exit 1; fi
fi`;

/** Commits of a step whose messages are kept, and bytes of them together. */
const OWN_COMMITS_MAX = 20;
const OWN_BYTES_MAX = 4_000;

/**
 * Of a step, the messages of the commits that its programs made on top of the first parent, and a trailer. Only objects and one ref are read of their
 * git directory, and none of its settings.
 */
const OWN_MESSAGES = `own_messages() {
  own=; if [ -f "$g/HEAD" ]; then IFS= read -r own < "$g/HEAD" || true; fi
  case $own in
    *..*) own= ;;
    'ref: refs/'*) ref=\${own#ref: }; own=; if [ -f "$g/$ref" ]; then IFS= read -r own < "$g/$ref" || true; fi ;;
  esac
  case $own in ''|*[!0-9a-f]*|"$1") return 0 ;; esac
  GIT_ALTERNATE_OBJECT_DIRECTORIES="$g/objects" git --git-dir="$k" log --reverse --no-merges --format=%B \\
    -n ${OWN_COMMITS_MAX} "$own" "^$1" -- 2> /dev/null | tr -d '\\000-\\010\\013-\\037\\177' | head -c ${OWN_BYTES_MAX} || true
}
message_of() {
  cat
  if [ -z "$WITH_MESSAGES" ]; then return 0; fi
  said=$(own_messages "$1")
  for part in "$said" "$TRAILER"; do if [ -n "$part" ]; then printf '\\n\\n%s' "$part"; fi; done
}`;

/**
 * keep tree git name before lists parent…, the message as input → `unchanged` when the tree is `before`, or the commit. The
 * index is a copy under a name of its own, so that a git process that outlived its killed parent can neither hold a
 * lock nor change the commit. An index with other submodules than before is refused and not kept, because it would
 * block the next try.
 */
const commitBy = (look: string, after: string): string => `set -e
export k="$1"; t=$2; g=$3; before=$5; l=$6; export GIT_INDEX_FILE="$k/index.$4"
links="$k/links.$4"; isKept=yes
shift 6
parents=; for parent; do parents="$parents -p $parent"; done
g() { git --git-dir="$k" --work-tree="$t" "$@"; }
${OWN_MESSAGES}
submodules() { g ls-files -s -z | grep -z '^160000 ' || [ $? -eq 1 ]; }
cd "$t"
for left in "$k"/index.aside-* "$k"/lists.aside-* "$k"/links.aside-*; do
  if [ "$left" != "$l" ] && [ -e "$left" ]; then rm -rf "$left"; fi
done
cp -p "$k/index" "$GIT_INDEX_FILE"
${look}
tree=$(git --git-dir="$k" write-tree)
if [ "$isKept" ]; then mv -f "$GIT_INDEX_FILE" "$k/index"; else rm -f "$GIT_INDEX_FILE"; fi
if [ "$tree" = "$before" ]; then echo unchanged; exit 0; fi
commit=$(message_of "$1" | git --git-dir="$k" commit-tree "$tree" $parents -F -)
${after}
echo "$commit"
`;

/** The pack of the commit, for the import outside. */
const PACK = `{ echo "$commit"; for parent; do echo "^$parent"; done; } | git --git-dir="$k" pack-objects -q --revs --stdout > "$l/pack"`;

export const COMMIT = commitBy(LOOK_AT_ALL, '');
export const COMMIT_TOUCHED = commitBy(LOOK_AT_LISTED, PACK);

/**
 * keep git tree branch parent commit name. Brings the agent's git directory to the checkpoint: no operation in
 * progress, the branch at the commit, the index as it is. The agent's own commits are kept by refs of their own.
 */
export const ADOPT = `set -e
k=$1; g=$2; t=$3; branch=$4; parent=$5; commit=$6; name=$7
pointer="gitdir: $g"
found=; if [ -f "$t/.git" ] && [ ! -L "$t/.git" ]; then IFS= read -r found < "$t/.git" || true; fi
if [ "$found" != "$pointer" ]; then
  if [ -e "$t/.git" ] || [ -L "$t/.git" ]; then mkdir -p "$g/heddle-own"; mv "$t/.git" "$g/heddle-own/$name"; fi
  printf '%s\\n' "$pointer" > "$t/.git"
fi
[ -d "$g/objects" ] && [ -d "$g/refs" ] && [ -f "$g/config" ] && [ -f "$g/HEAD" ]
found=; IFS= read -r found < "$g/HEAD" || true
at=; if [ -f "$g/refs/heads/$branch" ]; then IFS= read -r at < "$g/refs/heads/$branch" || true; fi
left=; for one in rebase-merge rebase-apply sequencer MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_START index.lock HEAD.lock; do
  if [ -e "$g/$one" ]; then left=$one; fi
done
# Nothing of its own, and nothing in progress: only the branch moves.
if [ "$found" = "ref: refs/heads/$branch" ] && [ "$at" = "$parent" ] && [ -z "$left" ] && [ ! -e "$g/refs/heads/$branch.lock" ]; then
  printf '%s\\n' "$commit" > "$g/refs/heads/$branch.$name"
  mv -f "$g/refs/heads/$branch.$name" "$g/refs/heads/$branch"
  cp -p "$k/index" "$g/index.$name"
  mv -f "$g/index.$name" "$g/index"
  exit 0
fi
for own in HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge/orig-head rebase-apply/orig-head; do
  if [ ! -f "$g/$own" ]; then continue; fi
  id=$(git --git-dir="$g" rev-parse -q --verify "$own^{commit}" 2>/dev/null || true)
  if [ -z "$id" ]; then id=$(head -c 64 "$g/$own" | tr -dc 0-9a-f); fi
  case $id in ''|"$parent"|"$commit") continue ;; esac
  git --git-dir="$g" cat-file -e "$id^{commit}" 2>/dev/null || continue
  git --git-dir="$g" update-ref "refs/heddle/own/$id" "$id"
done
( cd "$g" && rm -rf rebase-merge rebase-apply sequencer MERGE_HEAD MERGE_MSG MERGE_MODE CHERRY_PICK_HEAD REVERT_HEAD \\
  AUTO_MERGE BISECT_LOG BISECT_START index.lock HEAD.lock config.lock "refs/heads/$branch.lock" )
found=; IFS= read -r found < "$g/HEAD" || true
if [ "$found" != "ref: refs/heads/$branch" ]; then git --git-dir="$g" symbolic-ref HEAD "refs/heads/$branch"; fi
git --git-dir="$g" update-ref "refs/heads/$branch" "$commit"
cp -p "$k/index" "$g/index.$name"
mv -f "$g/index.$name" "$g/index"
`;

/** At most this many ids of an agent's own are examined. */
const IDS_MAX = 20_000;

/**
 * keep, then git directories; ids that are safe already as input, one per line → the tips of all other commits. Refs,
 * logs and the heads of operations in progress are read as text, so that a damaged git directory gives them too.
 */
export const OWN_TIPS = `set -e
k=$1; shift
safe=$(cat)
GIT_ALTERNATE_OBJECT_DIRECTORIES=
for g; do GIT_ALTERNATE_OBJECT_DIRECTORIES="$GIT_ALTERNATE_OBJECT_DIRECTORIES:$g/objects"; done
export GIT_ALTERNATE_OBJECT_DIRECTORIES="\${GIT_ALTERNATE_OBJECT_DIRECTORIES#:}"
commits() { git --git-dir="$k" cat-file --batch-check='%(objectname) %(objecttype)' | sed -n 's/ commit$//p'; }
ids=$(find "$@" -type f \\( -path '*/refs/*' -o -path '*/logs/*' -o -name '*HEAD' -o -name packed-refs -o -name orig-head \\) \\
  -exec cat {} + 2>/dev/null | grep -aoE '[0-9a-f]{40,64}' | sort -u | head -n ${IDS_MAX} | commits || true)
[ -n "$ids" ] || exit 0
known=$(printf '%s\\n' "$safe" | commits | sed 's/^/^/')
left=$(printf '%s\\n%s\\n' "$ids" "$known" | git --git-dir="$k" rev-list --topo-order --stdin)
[ -n "$left" ] || exit 0
# Both lists name nothing twice, so what comes twice is in both.
tips=$(printf '%s\\n%s\\n' "$left" "$ids" | sort | uniq -d)
[ -n "$tips" ] || exit 0
git --git-dir="$k" merge-base --independent $tips
`;
