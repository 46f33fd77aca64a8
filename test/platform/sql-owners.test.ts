import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const folder = path.join(root, 'platform', 'migrations');
const migrations = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
const tables = migrations.flatMap((text) =>
  [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name as string),
);

/** Code in domain, flows and workflows is left out, because it cannot reach a database. */
const sources = ['activities', 'api', 'platform', 'messages', 'scoring', 'images', 'store', 'worker', 'dev'].flatMap(
  (folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`),
);
const textByFile = new Map(sources.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));

/** Each of these folders counts as one owner of tables, because its files share tables. Every other file is its own owner. */
const ownerFolders = ['store/transactions/', 'store/flows/', 'store/messages/sends/', 'store/webhooks/', 'images/'];
const ownerOf = (file: string) => ownerFolders.find((folder) => file.startsWith(folder)) ?? file;

/** Some functions take the name of a table as their second argument, such as `deleteInBatches`. */
const isArgument = (text: string, table: string) => text.includes(`, '${table}', `);

test.each(tables)('the table %s is read and written by one file or folder', (table) => {
  const statement = new RegExp(`\\b(from|join|into|update|using|table)\\s+${table}\\b(?!')`, 'i');
  const files = sources.filter(
    (file) => statement.test(textByFile.get(file) ?? '') || isArgument(textByFile.get(file) ?? '', table),
  );
  expect([...new Set(files.map(ownerOf))]).toHaveLength(1);
});
