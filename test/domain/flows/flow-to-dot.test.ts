import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check';
import type { Language } from '../../../domain/transactions/input';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import { type DrawingOptions, drawingStyle, flowToDot } from '../../../domain/flows/diagrams';
import { flowLimits } from '../../../domain/flows/bounds';
import { companySignerFlow } from '../../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { flows } from '../../../flows';
import { renderDot } from '../../../api/flows/compute/graphviz';
import { openBrowser } from '../../support/browser';
import { flowWithEveryKind } from '../../support/every-kind.flow';

const allFlows = [...flows, phoneOnlyFlow, whatsappFirstFlow, stepUpFlow, companySignerFlow];

const draw = (flow: FlowDefinition, options?: DrawingOptions) => renderDot(flowToDot(flow, options), drawingStyle);

const removeStyle = (svg: string) => svg.replace(drawingStyle, '');

/** The nodes of a drawing by step, with their texts in reading order. */
function readNodes(svg: string): Record<string, { classes: string; texts: string[] }> {
  const nodes = svg.matchAll(/<g id="step-([^"]*)" class="node ([^"]*)">([^]*?)<\/g>/g);
  return Object.fromEntries(
    Array.from(nodes, ([, id = '', classes = '', inner = '']) => [
      id,
      { classes, texts: Array.from(inner.matchAll(/<text[^>]*>([^<]*)</g), ([, text = '']) => text) },
    ]),
  );
}

const readBoldTexts = (svg: string, classes: string) =>
  Array.from(svg.matchAll(new RegExp(`class="edge ?${classes}">([^]*?)</g>`, 'g')), ([, inner = '']) =>
    Array.from(inner.matchAll(/font-weight="bold"[^>]*>\s*([^<]*?)\s*</g), ([, text]) => text),
  ).flat();

test.each(allFlows.map((flow) => [flow.name, flow] as const))(
  'the drawing of %s has all steps and a title',
  async (_, flow) => {
    const svg = await draw(flow);
    const nodes = readNodes(svg);
    expect(Object.keys(nodes).toSorted()).toEqual(Object.keys(flow.steps).toSorted());
    for (const [name, step] of Object.entries(flow.steps))
      expect(nodes[name]?.texts[0]).toBe(step.kind === 'outcome' ? step.outcome : name);
    expect(svg).toContain(`role="img">\n<title>${flow.name} ${flow.version}`);
  },
);

test('a drawing shows each count on its step, also a count of zero', async () => {
  const nodes = readNodes(await draw(phoneOnlyFlow, { counts: { code: 1_240, expired: 0 } }));
  expect(nodes['code']?.texts.slice(0, 2)).toEqual(['code', '1,240']);
  expect(nodes['expired']?.texts).toEqual(['Expired', '0']);
  expect(nodes['blocked']?.texts).toEqual(['Blocked']);
});

test('the width of a count follows from its digits, whatever the step does', async () => {
  const widthsOf = async (count: number) => {
    const { steps } = whatsappFirstFlow;
    const svg = await draw(whatsappFirstFlow, {
      counts: Object.fromEntries(Object.keys(steps).map((step) => [step, count])),
    });
    return Object.entries(steps).map(([step]) => {
      const [, inner = ''] = new RegExp(`id="step-${step}"([^]*?)</g>`).exec(svg) ?? [];
      // The first path is the frame of the step.
      const [, path = ''] = [...inner.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, d = '']) => d);
      const xs = [...path.matchAll(/(-?[\d.]+),-?[\d.]+/g)].map(([, x]) => Number(x));
      return Math.round(Math.max(...xs) - Math.min(...xs));
    });
  };
  const [one, two, four] = [await widthsOf(7), await widthsOf(88), await widthsOf(1_240)].map(
    (widths) => new Set(widths),
  );
  expect([one?.size, two?.size, four?.size]).toEqual([1, 1, 1]);
  const [width = 0] = one ?? [];
  expect(width).toBeGreaterThan(10);
  expect(Math.max(...(two ?? []))).toBe(width + 7);
  expect(Math.max(...(four ?? []))).toBeGreaterThan(width + 21);
});

test.each([
  ['en', 'Code by SMS', '5 min · 2 messages · 5 attempts', '1,240'],
  ['pt-BR', 'Código por SMS', '5 min · 2 mensagens · 5 tentativas', '1.240'],
  ['es', 'Código por SMS', '5 min · 2 mensajes · 5 intentos', '1240'],
] as const)('a drawing in %s says what a step does in this language', async (language, kind, limits, count) => {
  const nodes = readNodes(await draw(phoneOnlyFlow, { counts: { code: 1_240 }, language }));
  expect(nodes['code']?.texts).toEqual(expect.arrayContaining(['code', kind, limits, count]));
});

test('a drawing in a language has no text of another language', async () => {
  const allTexts = async (language: Language) =>
    new Set(
      (await Promise.all([...allFlows, flowWithEveryKind].map((flow) => draw(flow, { language }))))
        .flatMap((svg) => Object.entries(readNodes(svg)))
        .flatMap(([, { texts }]) => texts.slice(1)),
    );
  const english = await allTexts('en');
  // The name of a text and the name of an event are equal in all languages.
  for (const language of ['pt-BR', 'es'] as const)
    for (const text of await allTexts(language))
      expect([text, english.has(text)]).toEqual([text, /^\d+ (min|h|s)$/.test(text)]);
});

test('a drawing highlights a path with its exits, and fades the rest', async () => {
  const path = [{ step: 'question', exit: 'Failed' }, { step: 'sms-code' }];
  const svg = await draw(whatsappFirstFlow, { path, current: 'sms-code' });
  const nodes = readNodes(svg);
  expect(nodes).toMatchObject({
    question: { classes: 'confirm taken' },
    'sms-code': { classes: 'confirm taken current' },
    'email-code': { classes: 'confirm faded' },
  });
  // The edge to the first step, and one transition.
  expect(svg.match(/class="edge taken"/g)).toHaveLength(2);
  expect(await draw(whatsappFirstFlow)).not.toMatch(/class="[^"]*(taken|faded|current)/);
});

test('a drawing highlights only the exit of the path when several exits share an arrow', async () => {
  const path = [{ step: 'question', exit: 'Failed' }, { step: 'sms-code' }];
  expect(readBoldTexts(await draw(whatsappFirstFlow, { path }), 'taken')).toEqual(['Failed']);
  const longerPath = [...path.slice(0, 1), { step: 'sms-code', exit: 'Expired' }, { step: 'email-code' }];
  expect(readBoldTexts(await draw(whatsappFirstFlow, { path: longerPath }), 'taken')).toEqual(['Failed', 'Expired']);
});

test('a drawing marks a missing step', async () => {
  const nodes = readNodes(await draw({ ...phoneOnlyFlow, start: 'nowhere' }));
  expect(nodes['nowhere']).toEqual({ classes: 'missing', texts: ['nowhere', 'No such step'] });
});

test('renderDot throws on invalid DOT, and then draws valid DOT', async () => {
  await expect(renderDot('digraph {', '')).rejects.toThrow('syntax error');
  expect(await renderDot('digraph { graph [tooltip="a < b"]; x }', '')).toContain('<title>a &lt; b</title>');
});

test('the largest accepted flow is drawn within a minute', async () => {
  const count = flowLimits.steps - 1;
  const buildStep = (index: number): Step => ({
    kind: 'decide',
    rules: Array.from({ length: flowLimits.rules }, (_, rule) => ({
      when: `score > ${rule}.0`,
      then: `s${(index * 7 + rule * 11 + 3) % count}`,
    })),
    else: 'end',
  });
  const steps = Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, buildStep(index)]));
  const flow: FlowDefinition = {
    name: 'crowded',
    version: 1,
    start: 's0',
    steps: { ...steps, end: { kind: 'outcome', outcome: 'Confirmed' } },
  };
  const startedAt = Date.now();
  expect((await draw(flow)).match(/class="edge"/g)?.length).toBeGreaterThan(700);
  // A flow with this many transitions is drawn with straight edges, because curved edges would take minutes. A minute is enough even on a
  // busy machine.
  expect(Date.now() - startedAt).toBeLessThan(60_000);
});

const anyHostileText = oneof(
  constantFrom(
    '</text><script>alert(1)</script>',
    '"onload="x',
    ']]>',
    '<!--',
    'a\u0000b',
    '\uD800',
    '{{code}}',
    '__proto__',
  ),
  string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
);

function buildFlow([name, title, first = '', outcome, when]: readonly string[]): FlowDefinition {
  const endName = `${first} end`;
  return {
    name: name ?? '',
    version: 1,
    title: title ?? '',
    start: first,
    steps: Object.fromEntries([
      [first, { kind: 'decide', rules: [{ when: when ?? '', then: endName }], else: first }],
      [endName, { kind: 'outcome', outcome: outcome ?? '' }],
    ]),
  };
}

describe('in a browser', () => {
  test('a drawing shows texts of a flow only as text, and loads or runs nothing', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.setContent('<body></body>');
      await assert(
        asyncProperty(array(anyHostileText, { minLength: 5, maxLength: 5 }), async (texts) => {
          const svg = await draw(buildFlow(texts));
          expect(removeStyle(svg)).not.toMatch(/<script|<a[\s>]|<image|<use|href|url\(|\son\w+=/i);
          const elements = await page.evaluate((text) => {
            // oxlint-disable-next-line typescript/no-explicit-any -- code of the page
            const { DOMParser } = globalThis as any;
            const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
            return [...parsed.querySelectorAll('*')].map((element: { nodeName: string }) => element.nodeName);
          }, svg);
          expect(elements).not.toContain('parsererror');
          const allowedElements = ['svg', 'title', 'style', 'g', 'path', 'polygon', 'ellipse', 'text'];
          expect(elements.filter((element) => !allowedElements.includes(element))).toEqual([]);
        }),
        { numRuns: 60 },
      );
      expect(requests).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test.each(['light', 'dark'] as const)('a drawing keeps texts inside their boxes in %s mode', async (colorScheme) => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ colorScheme });
      for (const flow of allFlows) {
        await page.setContent(await draw(flow));
        const textsOutside = await page.evaluate(() => {
          // oxlint-disable-next-line typescript/no-explicit-any -- code of the page
          const { document } = globalThis as any;
          const boxes = [...document.querySelectorAll('.flow-drawing .node:not(.start)')];
          return boxes.flatMap(
            (box: { querySelector: (s: string) => Bounded; querySelectorAll: (s: string) => Iterable<Bounded> }) => {
              const frame = box.querySelector('path').getBoundingClientRect();
              return [...box.querySelectorAll('text')]
                .filter((text) => text.getBoundingClientRect().right > frame.right - 4)
                .map((text) => text.textContent);
            },
          );
          interface Bounded {
            textContent: string;
            getBoundingClientRect: () => { right: number };
          }
        });
        expect(textsOutside).toEqual([]);
      }
    } finally {
      await browser.close();
    }
  });
});
