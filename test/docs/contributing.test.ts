import path from 'node:path';
import ts from 'typescript';
import { openGuide } from '../support/guide';

const root = path.join(__dirname, '..', '..');
const { codeBlock } = openGuide('contributing.md');

/** The edits of the section "Add a command", by file, each with the imports that an IDE would add. */
const edits: Record<string, (text: string) => string> = {
  'domain/transactions/commands.ts': () =>
    [
      "import type { Decided } from '../domain-error';",
      "import type { Note, TransactionState } from './state';",
      codeBlock('rule'),
    ].join('\n'),
  'domain/transactions/state.ts': (text) =>
    `${text.replace(/export interface TransactionState [^{]*\{\n/, (head) => `${head}${codeBlock('field')}\n`)}\n${codeBlock('note')}\n`,
  'workflows/contract/commands.ts': (text) =>
    `import type { Note } from '../../domain/transactions/state';\n${text}\n${codeBlock('contract')}\n`,
  'workflows/commands.ts': (text) =>
    `import { decideOnNote } from '../domain/transactions/commands';\n${text.replace(
      '\n}\n\nfunction register<',
      (end) => `\n${codeBlock('row')}${end}`,
    )}`,
  'api/transactions/notes.ts': () =>
    [
      "import { z } from 'zod';",
      "import { addNote } from '../../workflows/contract/commands';",
      "import { named, utcTime } from '../http/openapi/schema-of';",
      "import { type ApiRoute, transactionPath, withBody } from '../http/route';",
      "import { throwAsProblem } from './transactions';",
      codeBlock('route'),
    ].join('\n'),
  'api/routes.ts': (text) =>
    `import { noteRoutes } from './transactions/notes';\n${text.replace(/(\n {2}\.\.\.readTransactionRoutes,)/, (line) => `${line}\n  ...noteRoutes,`)}`,
};

test('the command that the guide adds compiles', () => {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  host.readFile = (file) => {
    const edit = edits[path.relative(root, file)];
    return edit ? edit(ts.sys.readFile(file) ?? '') : ts.sys.readFile(file);
  };
  host.fileExists = (file) => path.relative(root, file) in edits || ts.sys.fileExists(file);
  const files = Object.keys(edits).map((file) => path.join(root, file));
  const program = ts.createProgram(files, options, host);
  const errors = files.flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)));
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);
  for (const name of ['rule', 'note', 'field', 'contract', 'row', 'route'])
    expect(files.some((file) => program.getSourceFile(file)?.text.includes(codeBlock(name)))).toBe(true);
});
