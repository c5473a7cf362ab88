# Completion of heddle for bash. For this shell:   eval "$(heddle completion bash)"
# For all of them:   heddle completion bash > ~/.local/share/bash-completion/completions/heddle

_heddle() {
  local -a words=()
  local part count=0 joins='' current='' before='' word
  # Bash takes --policy=serial for three words; heddle is asked about the one that was typed.
  for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $count -gt 0 && ($part == '=' || -n $joins) ]]; then
      words[count - 1]+=$part
    else
      words[count]=$part
      count=$((count + 1))
    fi
    if [[ $part == '=' ]]; then joins=yes; else joins=''; fi
  done
  if [[ $count -gt 0 ]]; then current=${words[count - 1]}; fi
  if [[ $current == *=* && $COMP_WORDBREAKS == *=* ]]; then before=${current%%=*}=; fi

  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    case $word in
      :files) _heddle_paths -f "${current#"$before"}" ;;
      :plans) _heddle_paths -f "${current#"$before"}" plans ;;
      :folders) _heddle_paths -d "${current#"$before"}" ;;
      ?*) COMPREPLY+=("${word#"$before"}") ;;
    esac
  done < <("$1" complete -- "${words[@]}" 2>/dev/null)
}

_heddle_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do
    if [[ -z ${3-} || -d $path || $path == *.yaml || $path == *.yml ]]; then COMPREPLY+=("$path"); fi
  done < <(compgen "$1" -- "$2")
}

complete -F _heddle heddle
