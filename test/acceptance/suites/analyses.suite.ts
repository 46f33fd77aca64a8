import type { GetTestStack } from '../support/test-stack';
import type { AllBody } from '../support/api-client';
import { newPerson } from '../support/new-person';
import { createCpf } from '../support/create-cpf';
import { expectShape } from '../support/body-shape';
import * as shapes from '../support/shapes';

type Scores = AllBody['scores'];
type Ratings = AllBody['ratings'];
type Insights = { code: string; relevance: string; relatedTo: string[]; description: string }[];

/** How many documents share one phone and mailbox, as in a fraud by one group. */
const ringSize = 8;
const honestTransactions = 10;

/** A person whose document and phone come from different states of Brazil, so that only earlier transactions can link them. */
const validPerson = () => {
  const { body, phone, email } = newPerson();
  return { body: { ...body, document: createCpf(0) }, phone, email };
};

/** Analyses over HTTP. Their results depend on other transactions of the service. */
export function describeAnalyses(getTestStack: GetTestStack): void {
  const api = () => getTestStack().api;
  const scoresOf = async (path: string) => (await api().post(`${path}/scores`)).body as Scores;
  const newestValue = (scores: Scores) => scores.at(-1)?.value ?? Number.NaN;
  const codesOf = async (path: string) => {
    const insights = (await api().post(`${path}/insights`)).body as Insights;
    return insights.map(({ code }) => code);
  };

  describe('analyses', () => {
    it('the analyses have the response shapes of SPEC', async () => {
      const path = await api().createTransaction({
        ...validPerson().body,
        card: { bin: '411111', last4: '1111', ownerName: 'X Y' },
      });
      const insights = await api().post(`${path}/insights`);
      const ratings = await api().post(`${path}/ratings`);
      const card = await api().get(`${path}/card-check`);
      for (const response of [insights, ratings, card]) {
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
      for (const { body } of [insights, ratings]) expect(body).not.toEqual([]);
      for (const insight of insights.body as object[]) expectShape(insight, shapes.insight);
      for (const rating of ratings.body as object[]) expectShape(rating, shapes.rating);
      const cardCheck = card.body as { insights: Insights; score: number };
      expect(Object.keys(cardCheck)).toEqual(['insights', 'score']);
      expect(cardCheck.insights).not.toEqual([]);
      for (const insight of cardCheck.insights) expectShape(insight, shapes.insight);
      expect(cardCheck.insights.every(({ relatedTo }) => relatedTo.includes('Card'))).toBe(true);
      expect((await api().get(`${path}/card-check`)).body).toEqual(cardCheck);
    });

    it('a repeated request for an analysis returns the same list, with and without an idempotency key', async () => {
      const path = await api().createTransaction(validPerson().body);
      const firstResponse = await api().post(`${path}/insights`, { key: 'one' });
      expect((await api().post(`${path}/insights`)).body).toEqual(firstResponse.body);
      expect((await api().post(`${path}/insights`, { key: 'one' })).body).toEqual(firstResponse.body);
      expect(await api().post(`${path}/ratings`, { key: 'one' })).toMatchObject({ status: 409 });
      const all = await api().getAll(path);
      expect((await api().post(`${path}/ratings`)).body).toEqual(all.ratings);
      expect((await api().get(`${path}/scores`)).body).toEqual(all.scores);
    });

    it('a card check without a card returns 422', async () => {
      const path = await api().createTransaction(validPerson().body);
      expect(await api().get(`${path}/card-check`)).toMatchObject({ status: 422, body: { code: 'card_missing' } });
    });

    it('no analysis fails on wrong or missing data', async () => {
      const invalid = { documentType: 'CPF', document: '12345678912', address: { zipCode: '00000000' } };
      for (const body of [invalid, { documentType: 'Passport', document: 'AB123' }, { ...invalid, card: {} }]) {
        const path = await api().createTransaction(body);
        for (const suffix of ['insights', 'ratings', 'scores'])
          expect((await api().post(`${path}/${suffix}`)).status).toBe(200);
      }
      expect(await codesOf(await api().createTransaction(invalid))).toContain('DC001');
    });

    it('the numbers in the explanation of a score add up to the score', async () => {
      const path = await api().createTransaction(validPerson().body);
      const response = await api().get(`${path}/scores/explanation`, { headers: { 'Accept-Language': 'en' } });
      const explanation = response.body as { value: number; base: number; limit: number; rules: { points: number }[] };
      const sum = explanation.rules.reduce((total, { points }) => total + points, explanation.base + explanation.limit);
      expect(sum).toBeCloseTo(explanation.value, 6);
      expect(explanation.value).toBe(newestValue(await scoresOf(path)));
    });
  });

  describe('a ring of eight documents on one phone and e-mail', () => {
    it('eight persons who share a phone and a mailbox have insights about both, and lower scores than every honest person', async () => {
      const { phone, email } = newPerson().body;
      const ring: string[] = [];
      const honest: string[] = [];
      for (let member = 0; member < ringSize; member += 1) {
        ring.push(await api().createTransaction({ ...validPerson().body, phone, email }));
        honest.push(await api().createTransaction(validPerson().body));
      }
      const ringScores = await Promise.all(ring.map(async (path) => newestValue(await scoresOf(path))));
      const honestScores = await Promise.all(honest.map(async (path) => newestValue(await scoresOf(path))));
      expect(Math.max(...ringScores)).toBeLessThan(Math.min(...honestScores));
      for (const path of ring) expect(await codesOf(path)).toEqual(expect.arrayContaining(['PH004', 'EM004']));
      for (const path of honest) {
        const codes = await codesOf(path);
        expect(codes).not.toContain('PH004');
        expect(codes).not.toContain('EM004');
      }
      const ratings = (await api().post(`${ring[0]}/ratings`)).body as Ratings;
      const latest = ratings.findLast(({ relatedTo }) => relatedTo.join('-') === 'Document-Phone');
      expect(latest?.value).toBe(1);
    });
  });

  describe('ten transactions of an honest person', () => {
    it('in ten transactions of an honest person, the ratings never fall, and a confirmed phone raises the scores', async () => {
      const { body, phone } = validPerson();
      const ratingValues: number[] = [];
      const scoreValues: number[] = [];
      let path = '';
      for (let index = 0; index < honestTransactions; index += 1) {
        path = await api().createTransaction(body);
        const ratings = (await api().post(`${path}/ratings`)).body as Ratings;
        ratingValues.push(
          ratings.find(({ relatedTo }) => relatedTo.join('-') === 'Document-Phone')?.value ?? Number.NaN,
        );
        scoreValues.push(newestValue(await scoresOf(path)));
        if (index !== 1) continue;
        await api().post(`${path}/sms/tokens`);
        const value = await getTestStack().inbox.waitForCode(phone, 'sms');
        await api().post(`${path}/sms/tokens/validate`, { body: { value } });
        const ratingsAfter = (await api().post(`${path}/ratings`)).body as Ratings;
        expect(ratingsAfter.findLast(({ relatedTo }) => relatedTo.join('-') === 'Document-Phone')).toMatchObject({
          value: 5,
          reason: 'PhoneChecked',
        });
      }
      expect(ratingValues.slice(0, 3)).toEqual([2, 3, 4]);
      expect(ratingValues.toSorted((left, right) => left - right)).toEqual(ratingValues);
      expect(scoreValues[2]).toBeGreaterThan(scoreValues[1] ?? 0);
      expect(scoreValues.at(-1)).toBeGreaterThan(scoreValues[0] ?? 0);
    });
  });
}
