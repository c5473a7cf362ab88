// What is run inside a place on behalf of Heddle. Everything that an agent could have written to is looked at here and
// nowhere else, so that whatever it planted runs where the agent ran.

/**
 * keep tree name before parent…, the message as input → `unchanged` when the tree is `before`, or the commit. The index is
 * a copy under a name of its own, so that a git which outlived its killed parent can neither hold a lock nor change what
 * is committed.
 */
export const COMMIT = `set -e
k=$1; t=$2; before=$4; export GIT_INDEX_FILE="$k/index.$3"
shift 4
parents=; for parent; do parents="$parents -p $parent"; done
cd "$t"
for left in "$k"/index.aside-*; do if [ -e "$left" ]; then rm -f "$left"; fi; done
cp -p "$k/index" "$GIT_INDEX_FILE"
git --git-dir="$k" --work-tree="$t" add -A . >&2
tree=$(git --git-dir="$k" write-tree)
mv -f "$GIT_INDEX_FILE" "$k/index"
if [ "$tree" = "$before" ]; then echo unchanged; exit 0; fi
git --git-dir="$k" commit-tree "$tree" $parents -F -
`;

/**
 * keep git tree branch parent commit name. Brings the agent's git directory to the checkpoint: no operation in progress,
 * the branch at the commit, the index as it is. Commits of its own stay behind refs of their own.
 */
export const ADOPT = `set -e
k=$1; g=$2; t=$3; branch=$4; parent=$5; commit=$6; name=$7
pointer="gitdir: $g"
if [ -L "$t/.git" ] || [ ! -f "$t/.git" ] || [ "$(cat "$t/.git")" != "$pointer" ]; then
  if [ -e "$t/.git" ] || [ -L "$t/.git" ]; then mkdir -p "$g/heddle-own"; mv "$t/.git" "$g/heddle-own/$name"; fi
  printf '%s\\n' "$pointer" > "$t/.git"
fi
[ -d "$g/objects" ] && [ -d "$g/refs" ] && [ -f "$g/config" ] && [ -f "$g/HEAD" ]
for own in HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge/orig-head rebase-apply/orig-head; do
  id=$(git --git-dir="$g" rev-parse -q --verify "$own^{commit}" 2>/dev/null || true)
  if [ -z "$id" ] && [ -f "$g/$own" ]; then id=$(head -c 64 "$g/$own" | tr -dc 0-9a-f); fi
  case $id in ''|"$parent"|"$commit") continue ;; esac
  git --git-dir="$g" cat-file -e "$id^{commit}" 2>/dev/null || continue
  git --git-dir="$g" update-ref "refs/heddle/own/$id" "$id"
done
( cd "$g" && rm -rf rebase-merge rebase-apply sequencer MERGE_HEAD MERGE_MSG MERGE_MODE CHERRY_PICK_HEAD REVERT_HEAD \\
  AUTO_MERGE BISECT_LOG BISECT_START index.lock HEAD.lock config.lock "refs/heads/$branch.lock" )
git --git-dir="$g" symbolic-ref HEAD "refs/heads/$branch"
git --git-dir="$g" update-ref "refs/heads/$branch" "$commit"
cp -p "$k/index" "$g/index.$name"
mv -f "$g/index.$name" "$g/index"
`;

/** The most ids of an agent's own that are looked at. */
const IDS_MAX = 20_000;

/**
 * keep, then git directories; what is safe already as input, an id on each line → the tips of all commits that are not.
 * Refs, logs and the heads of operations in progress are read as text, so that a spoilt git directory gives them too.
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
