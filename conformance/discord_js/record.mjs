// Keeps what the emulator sends, for the check of its shapes.

import { createWriteStream } from 'node:fs';

const file = process.env.RECORD_TO && createWriteStream(process.env.RECORD_TO);

const keep = (line) => file?.write(`${JSON.stringify(line)}\n`);

/** An answer of the API, which is read here and given on. */
export async function recorded(method, url, response) {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json') && text !== '') {
    const { pathname, searchParams } = new URL(url);
    keep({ method, path: pathname.replace(/^\/api\/v10/, ''), query: [...searchParams.keys()], status: response.status, body: JSON.parse(text) });
  }
  const { status, statusText, headers } = response;
  return new Response(text === '' ? null : text, { status, statusText, headers });
}

/** An event of the gateway. */
export const dispatched = ({ t, d }) => t && keep({ event: t, body: d });

export const closed = () => new Promise((resolve) => (file ? file.end(resolve) : resolve()));
