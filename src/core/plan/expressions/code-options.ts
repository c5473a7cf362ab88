// Programs that run what one of their options names, programs that start others, and programs with a common word for a name.

/** Programs that mostly take data, and start a program or evaluate code that one of their options names. */
export const BY_OPTION: Readonly<Record<string, RegExp>> = {
  'tar gtar bsdtar':
    /-[A-Za-z]*[IF]|--use-compress-program|--to-command|--checkpoint-action(?:=exec)?|--(?:info|new-volume)-script|--r(?:sh|mt)-command/,
  rsync: /-[A-Za-z]*e|--rsh|--rsync-path/,
  sort: /--compress-program/,
  split: /--filter/,
  rg: /--pre|--hostname-bin/,
  go: /--?(?:exec|toolexec|vettool)/,
  wget: /-e|--execute|--use-askpass/,
  zip: /-TT|--unzip-command/,
  man: /-[PH]|--pager|--html/,
  'nix nix-build nix-instantiate': /-E|--expr|--arg/,
  tcpdump: /-z/,
  hg: /--config/,
  svn: /--(?:editor|diff|diff3)-cmd|--config-option/,
  'nc ncat netcat': /-[A-Za-z]*[ec]|--exec|--sh-exec/,
  // Values of variables are templates, which call programs.
  'ansible ansible-playbook': /-[ae]|--args|--extra-vars/,
  cargo: /--config|-s|-x/,
  'cc gcc clang': /-fplugin|-wrapper|--?specs/,
  'scp sftp': /-[A-Za-z]*[oS]/,
  exiftool: /-if\d*|-p|-api/,
  nodemon: /-x|--exec/,
  'gcloud vagrant fly flyctl': /-[cC]|--command/,
  'bazel bazelisk': /--run_under|--workspace_status_command|--credential_helper/,
  helm: /--post-renderer/,
  // Django's `shell`, and Laravel's `tinker`.
  'manage.py django-admin artisan': /-c|--command|--execute/,
  pandoc: /-[FL]|--filter|--lua-filter|--pdf-engine/,
  latexmk: /-e|-(?:pdf|xe|lua)?latex/,
  'fzf sk': /--preview|--bind|--cmd|--with-shell/,
  'bat batcat ack ag delta': /--pager/,
  'less more': /\+/,
  'apt apt-get': /-o|--option/,
  'xterm konsole': /-e/,
  rake: /-[eEp]|--execute(?:-print|-continue)?/,
  rpm: /-E|--eval/,
  lftp: /-[ce]/,
  'bpftrace stap': /-e/,
  dtrace: /-n/,
  matlab: /-r|-batch/,
  maxima: /--batch-string/,
  swipl: /-[gt]|--goal/,
  chokidar: /-c|--command/,
  'nx doppler': /--command/,
  // A jq program reads every variable of the environment.
  gh: /-q|--jq/,
};

/** Names that are common words too: they count as programs only where a program stands. */
export const PLAIN_WORDS: ReadonlySet<string> = new Set(
  (
    'at batch watch parallel screen script make just task ex view expect R dc ssh su sort split go man cc ed rename hive ' +
    'salt fly helm mix cmd rc nu py less more latex tex sk delta heroku'
  ).split(' '),
);

/** Programs that start another one, which stands somewhere among their arguments. */
export const STARTERS: ReadonlySet<string> = new Set(
  (
    'sudo doas exec command builtin nohup nice ionice timeout stdbuf setsid chroot unshare nsenter xargs find fd env ' +
    'docker podman nerdctl kubectl oc lxc ssh sshpass flock strace ltrace systemd-run firejail bwrap busybox parallel ' +
    'poetry pipenv uv pdm hatch conda mamba nix direnv mise asdf bundle rbenv pyenv dotenv cross-env npx pnpx bunx ' +
    'coproc time catchsegv xvfb-run watch entr'
  ).split(' '),
);
