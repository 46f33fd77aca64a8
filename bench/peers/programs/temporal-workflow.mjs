import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineUpdate,
  proxyActivities,
  setHandler,
  uuid4,
} from '@temporalio/workflow';

// A send takes at most 2.5 s. All peers notice a dead process after 10 s, like Countersign.
const { sendSms } = proxyActivities({ startToCloseTimeout: '10 seconds' });

/** A transaction of a peer. Its whole state is in the workflow. */
export async function transaction(person) {
  const { countryCode, areaCode, number } = person.phone;
  const messages = [];
  let [status, attempts, verified, code] = ['open', 0, false, undefined];

  setHandler(defineUpdate('send'), async () => {
    if (messages.length >= 20) throw ApplicationFailure.nonRetryable('no sends left');
    code = String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0');
    const message = { id: uuid4(), status: 'sending' };
    messages.push(message);
    message.sid = await sendSms(`+${countryCode}${areaCode}${number}`, code);
    message.status = 'sent';
    return { id: message.id, status: message.status };
  });
  setHandler(defineUpdate('check'), (value) => {
    if (attempts >= 5 || verified) throw ApplicationFailure.nonRetryable('no attempts left');
    attempts += 1;
    verified = value === code;
    return { verified, attempts };
  });
  setHandler(defineQuery('read'), () => ({ person, status, attempts, verified, messages }));
  await condition(() => false, '1 day');
  status = 'expired';
}
