// Checks what the emulator sent against the types of discord-api-types.
//
// Usage: node shapes.mjs RECORDED, a file of JSON lines as record.mjs keeps it.
// Every body becomes a literal of its type in one file for the TypeScript
// compiler, so that a property that is missing, of the wrong kind or not known
// is an error. Prints the list of types, then one JSON line for each.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

import { AUTOCOMPLETE, events, retyped, routes, undocumented, unsent } from './types.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(here, 'node_modules/discord-api-types/package.json')));
const MANY = 60;

/** The type of a record, or nothing where none is known. */
function typeOf({ event, method, path, query, status, body }) {
  if (event) return events[event];
  if (status >= 400) return undefined;
  const route = routes.find(([verb, pattern]) => verb === method && pattern.test(path));
  const type = route?.[2];
  return typeof type === 'function' ? type(query, body) : type;
}

/** Which properties there are and of what kind, to tell samples apart. */
function outline(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(outline))].sort()}]`;
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  const keys = Object.keys(value).sort();
  const byId = keys.length > 0 && keys.every((key) => /^\d{15,}$/.test(key));
  if (byId) return `{id:${[...new Set(Object.values(value).map(outline))].sort()}}`;
  const told = keys.map((key) => (key === 'type' && typeof value.type === 'number' ? `type:${value.type}` : `${key}:${outline(value[key])}`));
  return `{${told}}`;
}

/** The same, as the types would have it where they are known to differ from Discord. */
function documented(value, path = '') {
  if (Array.isArray(value)) return value.map((it) => documented(it, path));
  if (value === null || typeof value !== 'object') return value;
  const dropped = undocumented.filter(([fits]) => fits(value, path)).flatMap(([, keys]) => keys);
  const added = unsent.filter(([fits]) => fits(value)).map(([, key, filler]) => [key, filler]);
  const kept = Object.entries(value).filter(([key]) => !dropped.includes(key));
  for (const [fits, key, change] of retyped) if (fits(value, path)) kept.find(([it]) => it === key)[1] = change(value[key]);
  return Object.fromEntries([...added, ...kept].map(([key, it]) => [key, documented(it, `${path}.${key}`)]));
}

const samples = new Map();
const unknown = new Set();
for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const record = JSON.parse(line);
  const type = typeOf(record);
  if (type === undefined) {
    if (!(record.status >= 400)) unknown.add(record.event ?? `${record.method} ${record.path.replace(/\d{15,}/g, 'ID')}`);
    continue;
  }
  if (type === null) continue;
  const kept = samples.get(type) ?? new Map();
  samples.set(type, kept);
  const key = outline(record.body);
  if (kept.size < MANY && !kept.has(key)) kept.set(key, documented(record.body, record.event === 'INTERACTION_CREATE' && record.body.type === 4 ? AUTOCOMPLETE : ''));
}

const names = [...samples.keys()].sort();
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
print({ client: 'discord-api-types', version, features: [...names, 'every body has a type'] });

// JSON has the values of string enumerations, not their members, and any sum of flags.
const lines = [
  "import type * as api from 'discord-api-types/v10';",
  'type Value<K, T> = K extends `${string}flags` ? number | Extract<T, null | undefined> : Plain<T>;',
  'type Plain<T> = T extends string ? `${T}` : T extends readonly (infer U)[] ? Plain<U>[] : T extends object ? { [K in keyof T]: Value<K, T[K]> } : T;',
];
const typeAt = [];
for (const name of names) {
  const type = name.replace(/\b([A-Z]\w+)/g, (word) => (['Record', 'Extract', 'Partial', 'Pick', 'Omit'].includes(word) ? word : `api.${word}`));
  for (const body of samples.get(name).values()) {
    typeAt[lines.length] = name;
    lines.push(`export const x${lines.length}: Plain<${type}> = ${JSON.stringify(body)};`);
  }
}
const file = join(here, 'recorded.ts');
writeFileSync(file, `${lines.join('\n')}\n`);

const program = ts.createProgram([file], {
  noEmit: true, strict: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: [],
});
const problems = new Map();
for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
  const at = diagnostic.file && ts.getLineAndCharacterOfPosition(diagnostic.file, diagnostic.start).line;
  const name = diagnostic.file?.fileName.endsWith('recorded.ts') ? typeAt[at] : undefined;
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replace(/\s+/g, ' ');
  const near = diagnostic.file?.text.slice(diagnostic.start, diagnostic.start + Math.min(diagnostic.length, 60));
  const told = problems.get(name ?? 'every body has a type') ?? new Set();
  problems.set(name ?? 'every body has a type', told.add(`${near}: ${text}`));
}
for (const feature of names) {
  const told = [...(problems.get(feature) ?? [])];
  for (const problem of told) console.error(`${feature}: ${problem}`);
  print(told.length === 0 ? { feature, result: 'pass' } : { feature, result: 'fail', note: told.map((it) => it.slice(0, 140)).slice(0, 2).join('; ') });
}
const general = [...(problems.get('every body has a type') ?? []), ...[...unknown].map((it) => `no type is known for ${it}`)];
for (const problem of general) console.error(problem);
print({ feature: 'every body has a type', ...(general.length === 0 ? { result: 'pass' } : { result: 'fail', note: general.slice(0, 3).join('; ') }) });
