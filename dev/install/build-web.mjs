import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { createOpenApiDocument, readProblems } from './openapi-document.mjs';
import { root } from './command.mjs';

const web = join(root, 'web');
const output = join(root, 'dist', 'web');
/** The folder for the outputs of Vite. */
const work = join(root, '.cache', 'web');

/** The settings that all builds with Vite, and its dev server, share. */
export const shared = {
  root: web,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
};

const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/** Bundles files for browsers. The name of each file contains a hash of its content. Returns the manifest of Vite, and the files. */
async function buildAssets(folder, input, { cssCodeSplit, output = {} }) {
  const { output: chunks } = await build({
    ...shared,
    base: '/',
    build: {
      target: 'es2022',
      outDir: join(work, folder),
      emptyOutDir: true,
      manifest: true,
      cssCodeSplit,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // During a release, a browser may load files of two builds. Most of them work together if exports keep their names.
      rolldownOptions: { input, output: { minifyInternalExports: false, ...output } },
    },
  });
  const manifest = JSON.parse(readFileSync(join(work, folder, '.vite', 'manifest.json'), 'utf8'));
  const files = chunks
    .filter(({ fileName }) => !fileName.startsWith('.vite/'))
    .map((chunk) => ({
      path: `/${chunk.fileName}`,
      type: `${types[chunk.fileName.split('.').at(-1)]}; charset=utf-8`,
      body: chunk.type === 'chunk' ? chunk.code : chunk.source,
      isHashed: true,
    }));
  return { manifest, files };
}

/** Bundles the files of the documentation. Returns the files, and a function that finds the URL of a source file. */
async function buildSite() {
  const input = { site: join(web, 'browser', 'site.ts'), logo: join(web, 'kit', 'logo.svg') };
  const { manifest, files } = await buildAssets('site-files', input, { cssCodeSplit: false });
  const assetUrl = (name) => {
    const file = manifest[name === 'site.css' ? 'style.css' : name]?.file;
    if (!file) throw new Error(`The build has no file for ${name}.`);
    return `/${file}`;
  };
  return { assetUrl, files };
}

/** Every folder of web/ with the file main.tsx (a page that runs in the browser) or main.css (a page without scripts). */
const pageFolders = () =>
  readdirSync(web).flatMap((folder) => {
    const name = ['main.tsx', 'main.css'].find((main) => existsSync(join(web, folder, main)));
    return name ? [{ folder, name }] : [];
  });

/**
 * Puts the code that all app pages share into one file. With many small files, a tenth of the bytes that a page loads would be headers of
 * responses.
 */
const oneSharedChunk = {
  codeSplitting: {
    groups: [
      { name: 'shared', test: /web[\\/](?:app|kit)[\\/].*\.tsx?$|node_modules[\\/]preact[\\/]|rolldown[\\/]runtime/ },
    ],
  },
};

/** Bundles the files of all other pages. Returns the files, and which scripts and styles each page loads. */
async function buildPages() {
  const pages = pageFolders();
  const input = Object.fromEntries(pages.map(({ folder, name }) => [folder, join(web, folder, name)]));
  const { manifest, files } = await buildAssets('page-files', input, { cssCodeSplit: true, output: oneSharedChunk });
  const importsOf = (key) => [...new Set((manifest[key].imports ?? []).flatMap((name) => [name, ...importsOf(name)]))];
  const entryOf = ({ folder, name }) => {
    const key = `${folder}/${name}`;
    const imports = importsOf(key);
    const { file } = manifest[key];
    const styles = [...imports, key].flatMap((part) => manifest[part].css ?? []);
    return [
      folder,
      {
        ...(name === 'main.tsx' ? { script: `/${file}` } : {}),
        preloads: imports.map((part) => `/${manifest[part].file}`),
        styles: (name === 'main.tsx' ? styles : [file]).map((style) => `/${style}`),
      },
    ];
  };
  return { entries: Object.fromEntries(pages.map(entryOf)), files };
}

/** Bundles code that runs in Node.js. Returns the path of the bundle. */
async function buildForNode(source, format, fileName) {
  await build({
    ...shared,
    ssr: { noExternal: format === 'cjs' ? true : undefined },
    build: {
      ssr: source,
      outDir: join(work, fileName),
      emptyOutDir: true,
      rolldownOptions: { output: { format, entryFileNames: fileName } },
    },
  });
  return join(work, fileName, fileName);
}

/**
 * The settings of the compression. Quality 11 makes files 11 % smaller than quality 9, but the compression takes three times as long.
 * Quality 11 is only used for files with a hash in their name, such as scripts. Browsers keep these files in their cache.
 */
const brotliOptions = ({ isHashed }, bytes) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: isHashed ? 11 : 9,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});
const isText = ({ type }) => /^text|json|svg/.test(type);

/** For a contributor who waits for a page, files are not compressed: this saves half of the time. */
const isCompressed = !process.argv.includes('--uncompressed');

/** Writes a file and its compressed forms. Returns the entry of the file in the manifest. */
async function writeSiteFile({ body, ...file }, index) {
  const bytes = Buffer.from(body);
  const name = String(index);
  const encodings =
    isCompressed && isText(file)
      ? {
          br: await promisify(brotliCompress)(bytes, brotliOptions(file, bytes)),
          gzip: await promisify(gzip)(bytes, { level: 9 }),
        }
      : {};
  for (const [encoding, content] of Object.entries({ identity: bytes, ...encodings }))
    writeFileSync(join(`${output}.new`, `${name}.${encoding}`), content);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { ...file, name, hash, encodings: ['identity', ...Object.keys(encodings)] };
}

async function buildWeb() {
  const [{ assetUrl, files }, { entries, files: pageFiles }, renderPage, renderer] = await Promise.all([
    buildSite(),
    buildPages(),
    buildForNode(join(web, 'server', 'render-page.tsx'), 'cjs', 'render-page.cjs'),
    buildForNode(join(web, 'site', 'render-site.tsx'), 'es', 'render-site.mjs'),
  ]);
  const { renderSite } = await import(pathToFileURL(renderer).href);
  const site = await renderSite({ root, document: createOpenApiDocument(), problems: readProblems(), assetUrl });
  const unique = [...new Map([...files, ...pageFiles, ...site].map((file) => [file.path, file])).values()];
  rmSync(`${output}.new`, { recursive: true, force: true });
  mkdirSync(`${output}.new`, { recursive: true });
  const list = await Promise.all(unique.map(writeSiteFile));
  copyFileSync(renderPage, join(`${output}.new`, 'render-page.cjs'));
  const manifest = { files: list, logo: assetUrl('kit/logo.svg'), entries };
  writeFileSync(join(`${output}.new`, 'manifest.json'), JSON.stringify(manifest));
  rmSync(output, { recursive: true, force: true });
  renameSync(`${output}.new`, output);
}

if (process.argv[1] === import.meta.filename) await buildWeb();
