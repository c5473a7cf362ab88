// Which variables of an environment hold secrets, by their names.

const SECRET = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT)(_|$)/i;
/** Names that look like those of secrets but hold settings. */
const SETTING = /^(HEDDLE|GIT_CONFIG)_/;

export const isSecretName = (name: string): boolean => SECRET.test(name) && !SETTING.test(name);
