#compdef heddle
# Completion of heddle for zsh. For this shell:   eval "$(heddle completion zsh)"
# For all of them, in a folder of $fpath:   heddle completion zsh > ~/.zfunc/_heddle

_heddle() {
  local -a described
  local word says
  while IFS=$'\t' read -r word says; do
    case $word in
      :files) compset -P '*='; _files ;;
      :plans) compset -P '*='; _files -g '*.(yaml|yml)' ;;
      :folders) compset -P '*='; _files -/ ;;
      ?*) described+=("${word//:/\\:}${says:+:$says}") ;;
    esac
  done < <("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#described )) && _describe heddle described
}

# Found in $fpath it is the function itself that is called; else it is only made known.
if [[ ${funcstack[1]-} == _heddle ]]; then _heddle "$@"; else compdef _heddle heddle; fi
