import { biometricsBody } from '../../../api/biometrics/create-link';

const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString();

test.each([
  ['1990-05-17', undefined],
  ['1990-05-17T12:00:00Z', undefined],
  [tomorrow.slice(0, 10), 'must not be in the future'],
  [tomorrow, 'must not be in the future'],
  ['1899-12-31', 'must not be before 1900-01-01'],
  ['1899-12-31T12:00:00Z', 'must not be before 1900-01-01'],
  ['1990-02-30', 'must be a real date as YYYY-MM-DD'],
  ['today', 'must be a real date as YYYY-MM-DD'],
  [5, 'must be a real date as YYYY-MM-DD, or an ISO 8601 instant'],
])('the birthdate %j of a request for a link has the error: %s', (birthdate, error) => {
  const result = biometricsBody.safeParse({ birthdate });
  expect(result.error?.issues.map(({ message }) => message)).toEqual(error && [error]);
});
