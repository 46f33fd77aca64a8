import twilio from 'twilio';

/** The HTTP client of the Twilio SDK, with the settings of Countersign: one attempt of 2.5 s, on connections that stay open. */
class HttpClient extends twilio.RequestClient {
  constructor() {
    super({ timeout: 2_500, autoRetry: false, keepAlive: true });
  }

  request(request) {
    const { pathname, search } = new URL(request.uri);
    return super.request({ ...request, uri: new URL(pathname + search, process.env.TWILIO_BASE_URL).href });
  }
}

const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = process.env;
const client = twilio(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, { httpClient: new HttpClient(), env: {} });

/** Sends a code by SMS. Returns the id of the message at the provider. */
export async function sendSms(to, code) {
  const { sid } = await client.messages.create({ to, from: '+15005550006', body: `Your code is ${code}.` });
  return sid;
}

/** A phone in the format E.164. */
export const toE164 = ({ countryCode, areaCode, number }) => `+${countryCode}${areaCode}${number}`;
