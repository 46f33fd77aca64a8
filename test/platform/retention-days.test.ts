import { ConfigurationError } from '../../platform/config';
import { readRetentionDays } from '../../activities/privacy/erase-expired';

test('each tenant can have its own retention days', () => {
  expect(readRetentionDays('{}')).toEqual({ default: 180, byTenant: {} });
  expect(readRetentionDays('{"default":90,"acme":30}')).toEqual({ default: 90, byTenant: { acme: 30 } });
});

test.each(['', '[]', '{"acme":0}', '{"acme":1.5}', '{"acme":"30"}', '{"Acme":30}', '{"acme":9999}'])(
  'the retention setting %j is rejected',
  (json) => {
    expect(() => readRetentionDays(json)).toThrow(ConfigurationError);
  },
);
