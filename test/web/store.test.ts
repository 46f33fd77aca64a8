import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');

/**
 * Runs a script in another process, because jest cannot load the ES modules of Preact. The script has `createStore`, and `mount(store)`,
 * which renders a component that uses the store. The component has no elements, so it needs no browser. Returns the values with which the
 * component was rendered.
 */
function valuesRendered(script: string): unknown {
  const program = `
    import { createRequire } from 'node:module';
    import { requireTypescript } from './dev/install/require-typescript.mjs';
    const { createStore, useStore } = requireTypescript(process.cwd() + '/web/app/store.ts');
    const { h, render } = createRequire(process.cwd() + '/web/app/store.ts')('preact');
    const rendered = [];
    // Preact renders again in a microtask.
    const nextRender = () => new Promise(setImmediate);
    const mount = (store, afterRender = () => {}) =>
      new Promise((resolve) => {
        const subscribe = (listener) => {
          setImmediate(resolve);
          return store.subscribe(listener);
        };
        const Consumer = () => {
          const value = useStore({ ...store, subscribe });
          rendered.push(value);
          afterRender(value);
          return null;
        };
        render(h(Consumer), { nodeType: 1, childNodes: [], firstChild: null });
      });
    ${script}
    process.stdout.write(JSON.stringify(rendered));
  `;
  const args = ['--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

test('a component is rendered once when it is mounted, and once for each change of its store', () => {
  const rendered = valuesRendered(`
    const store = createStore(1);
    await mount(store);
    await nextRender();
    for (const value of [1, 2, 2, 3]) {
      store.set(value);
      await nextRender();
    }
  `);
  expect(rendered).toEqual([1, 2, 3]);
});

test('a component shows a change that came between its first render and its subscription', () => {
  const rendered = valuesRendered(`
    const store = createStore(1);
    await mount(store, (value) => value === 1 && store.set(2));
    await nextRender();
  `);
  expect(rendered).toEqual([1, 2]);
});
