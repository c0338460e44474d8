// The rules every redactor starts from: Continuo's own, then gitleaks'.
import continuo from './rules/continuo-rules.json' with { type: 'json' };
import gitleaks from './rules/gitleaks-rules.json' with { type: 'json' };
import type { SecretRule } from './secret-rule.ts';

export const builtinRules: readonly SecretRule[] = [...(continuo.rules as SecretRule[]), ...gitleaks.rules];
