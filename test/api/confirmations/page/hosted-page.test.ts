import { type LinkPurpose, hostedPagePath } from '../../../../messages/links';
import { Problem } from '../../../../api/http/problem';
import { ApiWorld, person } from '../../api-world';
import { codeOf } from '../../../support/build';
import { emailToken } from '../../../../flows/confirmations';
import { en } from '../../../../web/hosted/texts/en';
import { es } from '../../../../web/hosted/texts/es';
import { ptBr } from '../../../../web/hosted/texts/pt-br';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open({ BRAND: 'Loja <b>&' });
});
beforeEach(() => {
  world.transactions.clockOffsetMs = 0;
});
afterAll(() => world.close());

/** `page`: the path of the hosted page that asks the question. */
async function requestConfirmation(
  endpoint: 'emails/tokens' | 'emails/2fa',
  extraFields: object = {},
): Promise<{ id: string; page: string; path: string }> {
  const { id, path } = await world.createTransaction({ ...person, ...extraFields });
  await world.post(`${path}/${endpoint}`);
  return { id, path, page: pageOf(id, 'answer') };
}

/** The page to which the newest message links. `purpose`: `answer` for the link to confirm or deny, `deny` for the link to deny. */
function pageOf(transactionId: string, purpose: LinkPurpose): string {
  const confirmationId = world.transactions.confirmationIds.at(-1) ?? '';
  return hostedPagePath(world.dependencies.keys, { tenant: 'local', transactionId, confirmationId, purpose });
}

const openPage = (page: string, headers: Record<string, string> = {}) => world.request(page, { token: null, headers });
const submitAction = (page: string, action: string) =>
  world.post(page, {
    rawBody: `action=${action}`,
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const lastConfirmation = (id: string) => world.transactions.states.get(`local/${id}`)?.confirmations.at(-1);

describe.each([
  ['emails/tokens', 'confirm', 'deny', 'Obrigado por avisar'],
  ['emails/2fa', '1', '2', 'Você respondeu “NÃO”'],
] as const)('the page of %s', (endpoint, confirm, deny, thanks) => {
  test('a GET request shows the question, and repeated GET and HEAD requests change nothing', async () => {
    const { id, page } = await requestConfirmation(endpoint);
    const before = JSON.stringify(world.transactions.states.get(`local/${id}`));
    for (let time = 0; time < 3; time += 1) {
      const pageResponse = await openPage(page);
      expect(pageResponse.status).toBe(200);
      expect(pageResponse.body).toContain(`value="${confirm}"`);
      expect(pageResponse.body).toContain(`value="${deny}"`);
      await world.request(page, { method: 'HEAD', token: null });
    }
    expect(JSON.stringify(world.transactions.states.get(`local/${id}`))).toBe(before);
  });

  test('a POST request confirms, and a reply cannot be changed afterwards', async () => {
    const { id, page, path } = await requestConfirmation(endpoint);
    const response = await submitAction(page, confirm);
    expect(response.status).toBe(200);
    expect(response.body).toContain('Confirmado');
    expect(lastConfirmation(id)).toMatchObject({
      status: endpoint === 'emails/tokens' ? 'Valid' : 'Replied',
      outcome: 'yes',
    });
    expect((await world.request(path)).body).toMatchObject({ verifiedEmail: true });
    expect((await submitAction(page, confirm)).body).toContain('Confirmado');
    // For a token, the page accepts the denial. For a second factor, the page repeats the first reply. The outcome stays `yes`.
    const secondAnswer = endpoint === 'emails/tokens' ? thanks : 'Confirmado';
    expect((await submitAction(page, deny)).body).toContain(secondAnswer);
    expect(lastConfirmation(id)?.outcome).toBe('yes');
  });

  test('a POST request denies', async () => {
    const { id, page } = await requestConfirmation(endpoint);
    expect((await submitAction(page, deny)).body).toContain(thanks);
    expect(lastConfirmation(id)?.outcome).toBe('no');
  });

  test('the page returns 410 after the expiry', async () => {
    const { page } = await requestConfirmation(endpoint);
    world.transactions.clockOffsetMs = 31 * 60_000;
    for (const response of [await openPage(page), await submitAction(page, confirm)]) {
      expect(response.status).toBe(410);
      expect(response.body).toContain('O prazo acabou');
      expect(response.body).not.toContain('<form');
    }
  });
});

describe('the page of an older e-mail for the same kind of confirmation', () => {
  const minuteMs = 60_000;

  /** Requests two tokens in one transaction. Returns the page of the older token. */
  async function requestTwice() {
    const first = await requestConfirmation('emails/tokens');
    world.transactions.clockOffsetMs = 2 * minuteMs;
    await world.post(`${first.path}/emails/tokens`);
    return first;
  }

  test('the page of an older e-mail offers only the denial, and a denial counts for the newest confirmation', async () => {
    const { id, page } = await requestTwice();
    const pageResponse = await openPage(page);
    expect(pageResponse.status).toBe(200);
    expect(pageResponse.body).toContain('value="deny"');
    expect(pageResponse.body).not.toContain('value="confirm"');
    expect((await submitAction(page, 'confirm')).body).toContain('<form');
    expect(lastConfirmation(id)?.outcome).toBeUndefined();
    for (let time = 0; time < 2; time += 1) {
      const response = await submitAction(page, 'deny');
      expect(response.status).toBe(200);
      expect(response.body).toContain('Obrigado por avisar');
    }
    expect(lastConfirmation(id)).toMatchObject({ status: 'Blocked', outcome: 'no' });
  });

  test('the page of an older e-mail returns 410 after the newest confirmation was confirmed or has expired', async () => {
    const { id, page } = await requestTwice();
    expect((await submitAction(pageOf(id, 'answer'), 'confirm')).body).toContain('Confirmado');
    for (const response of [await openPage(page), await submitAction(page, 'confirm')])
      expect(response.status).toBe(410);
    const expired = await requestTwice();
    world.transactions.clockOffsetMs = 33 * minuteMs;
    expect((await submitAction(expired.page, 'confirm')).status).toBe(410);
    expect(lastConfirmation(expired.id)?.outcome).toBeUndefined();
  });

  test('the page of an older e-mail still records a denial after the newest confirmation was confirmed', async () => {
    const { id, page, path } = await requestTwice();
    await submitAction(pageOf(id, 'answer'), 'confirm');
    expect((await submitAction(page, 'deny')).body).toContain('Obrigado por avisar');
    expect((await world.request(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Valid' });
    const { scores = [] } = world.transactions.states.get(`local/${id}`) ?? {};
    expect(scores.filter(({ reason }) => reason === 'Denied')).toHaveLength(1);
  });
});

describe('the link for a person who did not request the code', () => {
  const buttonsOf = (body: unknown) => [...String(body).matchAll(/value="(.*?)"/g)].map(([, value]) => value);
  const insightsOf = async (path: string) => {
    const { body } = await world.request(`${path}/insights`, { method: 'POST' });
    return (body as { code: string }[]).map(({ code }) => code);
  };

  test('the link to deny offers only the denial, and a forged form does not confirm', async () => {
    const { id } = await requestConfirmation('emails/tokens');
    const page = pageOf(id, 'deny');
    expect(buttonsOf((await openPage(page)).body)).toEqual(['deny']);
    expect(buttonsOf((await submitAction(page, 'confirm')).body)).toEqual(['deny']);
    expect(lastConfirmation(id)).toMatchObject({ status: 'Waiting' });
    expect((await submitAction(page, 'deny')).body).toContain('Obrigado por avisar');
    expect(lastConfirmation(id)).toMatchObject({ status: 'Blocked', outcome: 'no' });
  });

  test('after the code was used, the link to deny still accepts a denial, which adds a score and does not change the token', async () => {
    const { id, path, page: answerPage } = await requestConfirmation('emails/tokens');
    expect((await submitAction(answerPage, 'confirm')).body).toContain('Confirmado');
    const before = (await world.request(`${path}/emails/tokens`)).body;
    const page = pageOf(id, 'deny');
    expect(buttonsOf((await openPage(page)).body)).toEqual(['deny']);
    for (let time = 0; time < 2; time += 1)
      expect((await submitAction(page, 'deny')).body).toContain('Obrigado por avisar');
    expect((await openPage(page)).body).not.toContain('<form');
    expect((await world.request(`${path}/emails/tokens`)).body).toEqual(before);
    const { scores = [] } = world.transactions.states.get(`local/${id}`) ?? {};
    expect(scores.filter(({ reason }) => reason === 'Denied')).toHaveLength(1);
    expect(await insightsOf(path)).toContain('CF003');
  });

  test.each<['answer' | 'deny']>([['answer'], ['deny']])(
    'the page of a link with the purpose %s accepts a denial after somebody entered the right code or used all attempts',
    async (purpose) => {
      for (const typedCode of ['right', 'wrong'] as const) {
        const { id, path, page } = await requestConfirmation('emails/tokens');
        const code = codeOf(emailToken, id, lastConfirmation(id)?.id ?? '');
        const wrongCode = code === '000000' ? '000001' : '000000';
        for (const value of typedCode === 'right' ? [code] : Array.from({ length: 5 }, () => wrongCode))
          await world.post(`${path}/emails/tokens/validate`, { body: { value } });
        expect(lastConfirmation(id)?.status).toBe(typedCode === 'right' ? 'Valid' : 'Blocked');
        const deniedPage = purpose === 'deny' ? pageOf(id, 'deny') : page;
        expect((await submitAction(deniedPage, 'deny')).body).toContain('Obrigado por avisar');
        expect(await insightsOf(path)).toContain('CF003');
      }
    },
  );

  test('the link to deny accepts the denial after the code expired', async () => {
    const { id, path } = await requestConfirmation('emails/tokens');
    world.transactions.clockOffsetMs = 31 * 60_000;
    expect((await submitAction(pageOf(id, 'deny'), 'deny')).body).toContain('Obrigado por avisar');
    expect((await world.request(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Expired' });
    expect(await insightsOf(path)).toContain('CF003');
  });

  test('before the newest code expires, the link to deny in an older e-mail blocks this code', async () => {
    const { id, path } = await requestConfirmation('emails/tokens');
    const olderPage = pageOf(id, 'deny');
    world.transactions.clockOffsetMs = 2 * 60_000;
    await world.post(`${path}/emails/tokens`);
    expect((await submitAction(olderPage, 'deny')).body).toContain('Obrigado por avisar');
    expect(lastConfirmation(id)).toMatchObject({ status: 'Blocked', outcome: 'no' });
    expect((await openPage(olderPage)).body).not.toContain('<form');
  });
});

test.each(['no', 'neither'] as const)(
  'the page shows the question and all replies, and saves a third reply that means %s',
  async (meaning) => {
    const settings = world.dependencies.confirmationSettings.get('email-2fa');
    const label = { 'pt-BR': 'MAIS TARDE', en: 'LATER', es: 'MÁS TARDE' };
    const option = { option: 3, name: 'Later', meaning, label, words: [] } as const;
    const changedSettings = { ...settings, options: [...(settings?.options ?? []).slice(0, 2), option] };
    world.dependencies.confirmationSettings = new Map([
      ...world.dependencies.confirmationSettings,
      ['email-2fa', changedSettings as NonNullable<typeof settings>],
    ]);
    const { id, page } = await requestConfirmation('emails/2fa');
    const { body } = await openPage(page);
    expect(body).toContain('<h1>Loja &lt;b>&amp;: foi você?</h1>');
    expect(body).toContain('Você está fazendo um cadastro agora?');
    expect(body).toContain('30 min');
    const buttons = /<button class="button( button-main)?" name="action" value="(.)">([^<]+)/g;
    expect([...String(body).matchAll(buttons)].map(([, ...found]) => found)).toEqual([
      [' button-main', '1', 'SIM'],
      [undefined, '2', 'NÃO'],
      [undefined, '3', 'MAIS TARDE'],
    ]);
    expect((await submitAction(page, '4')).body).toContain('<form');
    for (const response of [await submitAction(page, '3'), await openPage(page)])
      expect(response.body).toContain('Você respondeu “MAIS TARDE”,');
    expect(lastConfirmation(id)?.outcome).toBe(meaning);
    expect(lastConfirmation(id)?.log.at(-1)).toMatchObject({ text: 'MAIS TARDE', reply: { option: 3 } });
  },
);

test('a form without a known action shows the question again', async () => {
  const { id, page } = await requestConfirmation('emails/2fa');
  expect((await submitAction(page, 'delete')).body).toContain('<form');
  expect(lastConfirmation(id)?.outcome).toBeUndefined();
});

test('the page has the language of the transaction, or of the browser if the link is unknown', async () => {
  const { page } = await requestConfirmation('emails/2fa', { genericFields: { locale: 'es-AR' } });
  expect((await openPage(page, { 'accept-language': 'en' })).body).toContain('<html lang="es">');
  expect((await openPage('/confirm/x', { 'accept-language': 'en' })).body).toContain('<html lang="en">');
});

test('an unknown link returns 404 with a page', async () => {
  const { page } = await requestConfirmation('emails/2fa');
  const body = page.split('/').at(-1)?.split('.')[0] ?? '';
  for (const link of [
    '/confirm/x',
    '/confirm/x.y',
    `${page}x`,
    `/confirm/${body}.`,
    `/confirm/${body}.${'A'.repeat(43)}`,
  ]) {
    const response = await openPage(link);
    expect(response.status).toBe(404);
    expect(response.body).toContain('Link desconhecido');
  }
});

test('during an outage, the form returns 503 with a page', async () => {
  const { page } = await requestConfirmation('emails/2fa');
  world.transactions.nextErrors.push(new Problem('service_unavailable'));
  const response = await submitAction(page, '1');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(response.body).toContain('Tente de novo');
});

test('the page has no scripts, and is not cached, indexed or sent as referrer', async () => {
  const { page } = await requestConfirmation('emails/2fa');
  const { headers, body } = await openPage(page);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(body).not.toMatch(/<script|style=|https?:/);
  expect(body).toContain('Loja &lt;b>&amp;');
  expect(body).not.toContain(person.email);
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(String(body)) ?? [];
  expect((await openPage(style)).headers.get('content-type')).toMatch(/^text\/css/);
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test.each([
  ['en', en],
  ['es', es],
  ['pt-BR', ptBr],
])('the text after a reply repeats the reply, in the language %s', (_, { results }) => {
  expect(results.noted.text('MORE')).toContain('MORE');
});
