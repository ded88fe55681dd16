// Walks discord.js, unmodified, through an emulator.
//
// Usage: node walk.mjs '{"api_url": …}', the line that `kaiwa emulate` prints.
// Prints the list of features, then one JSON line for each as it is done.
// A second argument walks only the features whose names contain it.

import { Events, version } from 'discord.js';

import { client, features } from './emulator.mjs';
import { closed, dispatched } from './record.mjs';

await import('./connection.mjs');
await import('./messages.mjs');
await import('./content.mjs');
await import('./components.mjs');
await import('./reactions.mjs');
await import('./threads.mjs');
await import('./channels.mjs');
await import('./guilds.mjs');
await import('./members.mjs');
await import('./webhooks.mjs');
await import('./commands.mjs');
await import('./interactions.mjs');
await import('./community.mjs');
await import('./gateway.mjs');

const FEATURE_MS = 20_000;
const ALWAYS = ['login', 'READY'];

const debugged = [];
client.on(Events.Debug, (line) => debugged.push(line));
client.on(Events.Error, () => {});
client.on(Events.Raw, dispatched);

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing happened in ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

process.on('unhandledRejection', (error) => console.error(error));
const only = process.argv[3];
const wanted = Object.entries(features).filter(([name]) => !only || ALWAYS.includes(name) || name.includes(only));
print({ client: 'discord.js', version, features: wanted.map(([name]) => name) });
for (const [feature, walk] of wanted) {
  const began = Date.now();
  try {
    await within(FEATURE_MS, walk());
    print({ feature, result: 'pass' });
  } catch (error) {
    console.error(feature, error, debugged.slice(-10));
    print({ feature, result: 'fail', note: String(error.message ?? error).split('\n')[0] });
  }
  const took = Date.now() - began;
  if (took > 1000) console.error(`${feature} took ${took} ms`);
}
await closed();
process.exit(0);
