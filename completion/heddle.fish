# Completion of heddle for fish. For this shell:   heddle completion fish | source
# For all of them:   heddle completion fish > ~/.config/fish/completions/heddle.fish

function __heddle_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':plans'
                __fish_complete_path "$current" | string match -r '.*(?:/|\.ya?ml)(?:\t.*)?$'
            case ':folders'
                __fish_complete_directories "$current" ''
            case '*'
                echo $line
        end
    end
end

complete -c heddle -f -a '(__heddle_complete)'
