import VoiceResponse from 'twilio/lib/twiml/VoiceResponse';
import type { Language } from '../../domain/transactions/input';

/** How often a person can hear the code again by pressing a key. Together with `readings`, this bounds the length of a call. */
export const repeatsMax = 3;

/** How often the call reads the code if the person presses no key. */
const readings = 2;

/** How long a call waits for a key after each reading. */
const keySeconds = 4;

/** What a call says besides the text with the code, and the voice that says it. */
interface Phrases {
  voice: { language: 'pt-BR' | 'en-US' | 'es-MX'; voice: 'Polly.Camila' | 'Polly.Joanna' | 'Polly.Mia' };
  repeat: string;
  goodbye: string;
  /** The code was used, replaced, or has expired. */
  closed: string;
  unavailable: string;
}

const phrases: Record<Language, Phrases> = {
  'pt-BR': {
    voice: { language: 'pt-BR', voice: 'Polly.Camila' },
    repeat: 'Para ouvir de novo, pressione qualquer tecla.',
    goodbye: 'Até logo.',
    closed: 'Este código não vale mais. Se ainda precisar, peça um novo.',
    unavailable: 'Não podemos informar seu código agora. Por favor, peça um novo.',
  },
  en: {
    voice: { language: 'en-US', voice: 'Polly.Joanna' },
    repeat: 'To hear it again, press any key.',
    goodbye: 'Goodbye.',
    closed: 'This code is no longer valid. If you still need it, please request a new one.',
    unavailable: 'We cannot tell you your code now. Please request a new one.',
  },
  es: {
    voice: { language: 'es-MX', voice: 'Polly.Mia' },
    repeat: 'Para escucharlo de nuevo, presione cualquier tecla.',
    goodbye: 'Hasta luego.',
    closed: 'Este código ya no vale. Si todavía lo necesita, pida uno nuevo.',
    unavailable: 'No podemos decirle su código ahora. Por favor, pida uno nuevo.',
  },
};

/** What a call says to a machine: nothing. */
export function hangUp(): string {
  const response = new VoiceResponse();
  response.hangup();
  return response.toString();
}

/** A call without a code. `closed`: the code is not valid any more. `unavailable`: the service does not know the code now. */
export function sayWithoutCode(language: Language, reason: 'closed' | 'unavailable'): string {
  const { voice, [reason]: text, goodbye } = phrases[language];
  const response = new VoiceResponse();
  response.say(voice, `${text} ${goodbye}`);
  response.hangup();
  return response.toString();
}

/**
 * A call that tells a code, as TwiML: https://www.twilio.com/docs/voice/twiml. `text`: what it says, with {{code}}. The digits of the code
 * are read one by one, with pauses. `repeatUrl`: where Twilio asks again if the person presses a key. Absent: the call cannot be repeated any
 * more.
 */
export function sayCode(language: Language, text: string, code: string, repeatUrl?: string): string {
  const { voice, repeat, goodbye } = phrases[language];
  const response = new VoiceResponse();
  for (let reading = 0; reading < readings; reading += 1) {
    // With an empty `finishOnKey`, all keys count, also # and *.
    const listener =
      repeatUrl === undefined
        ? response
        : response.gather({ numDigits: 1, finishOnKey: '', timeout: keySeconds, action: repeatUrl, method: 'POST' });
    text.split('{{code}}').forEach((part, index) => {
      if (index > 0) sayDigits(listener, voice, code);
      // Nobody can hear punctuation alone.
      if (/[\p{L}\p{N}]/u.test(part)) listener.say(voice, part.replace(/^[\p{P}\s]+/u, '').trim());
    });
    if (repeatUrl !== undefined) listener.say(voice, repeat);
  }
  response.say(voice, goodbye);
  response.hangup();
  return response.toString();
}

type Speaker = Pick<VoiceResponse, 'say' | 'pause'>;

function sayDigits(speaker: Speaker, voice: Phrases['voice'], code: string): void {
  for (const digit of code) {
    speaker.say(voice, digit);
    speaker.pause({ length: 1 });
  }
}
