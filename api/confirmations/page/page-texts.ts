import type { Language } from '../../../domain/language';

/** The texts of the hosted page. Placeholders: `{{brand}}`, and `{{reply}}` in `noted`. */
export interface PageTexts {
  title: string;
  /** The question of an e-mail token. A second factor has its own question. */
  question: string;
  hint: string;
  yes: string;
  no: string;
  /** The page of a link with the purpose `deny`, for a person who did not request the code. */
  deny: { question: string; hint: string };
  superseded: { heading: string; text: string };
  results: Record<
    'confirmed' | 'denied' | 'noted' | 'expired' | 'closed' | 'unknown' | 'unavailable',
    { heading: string; text: string }
  >;
}

/** The result of an answer, or the reason why the page shows no question. */
export type PageResult = keyof PageTexts['results'];

export const pageTexts: Record<Language, PageTexts> = {
  'pt-BR': {
    title: 'Confirmação',
    question: 'Você pediu um código de {{brand}} para este e-mail?',
    hint: 'Confirme só se foi você quem pediu.',
    yes: 'Sim, fui eu',
    no: 'Não fui eu',
    deny: {
      question: 'Você não pediu este código de {{brand}}?',
      hint: 'Avise aqui, mesmo que o código já tenha sido usado. Se foi você quem pediu, feche esta página.',
    },
    superseded: {
      heading: 'Há uma mensagem mais nova',
      text: 'Vale só a última que você recebeu. Se não foi você quem pediu, avise aqui mesmo.',
    },
    results: {
      confirmed: { heading: 'Confirmado', text: 'Obrigado. Você já pode fechar esta página.' },
      denied: {
        heading: 'Obrigado por avisar',
        text: 'Registramos que não foi você. Ninguém pode mais usar este pedido.',
      },
      noted: {
        heading: 'Resposta registrada',
        text: 'Você respondeu “{{reply}}”, e este pedido foi encerrado. Você já pode fechar esta página.',
      },
      expired: { heading: 'O prazo acabou', text: 'Este pedido não vale mais. Se ainda precisar, peça outro.' },
      closed: {
        heading: 'Este pedido já foi encerrado',
        text: 'Ele foi usado, ou outro mais novo ficou no lugar dele.',
      },
      unknown: { heading: 'Link desconhecido', text: 'Este link não funciona mais ou não está completo.' },
      unavailable: {
        heading: 'Tente de novo em instantes',
        text: 'Não conseguimos registrar a sua resposta agora. O link continua valendo.',
      },
    },
  },
  en: {
    title: 'Confirmation',
    question: 'Did you request a code from {{brand}} for this e-mail address?',
    hint: 'Confirm only if you requested it.',
    yes: 'Yes, it was me',
    no: 'It was not me',
    deny: {
      question: 'Did somebody else request this code from {{brand}}?',
      hint: 'Tell us here, even if the code was already used. If you requested it, close this page.',
    },
    superseded: {
      heading: 'There is a newer message',
      text: 'Only the last message that you received is valid. If you did not request it, tell us here.',
    },
    results: {
      confirmed: { heading: 'Confirmed', text: 'Thank you. You can close this page now.' },
      denied: {
        heading: 'Thank you for telling us',
        text: 'We have recorded that it was not you. Nobody can use this request any more.',
      },
      noted: {
        heading: 'We have recorded your answer',
        text: 'You answered “{{reply}}”, and this request is closed. You can close this page now.',
      },
      expired: {
        heading: 'This request has expired',
        text: 'If you still need it, please request a new one.',
      },
      closed: { heading: 'This request is closed', text: 'It was already used, or a newer one has replaced it.' },
      unknown: { heading: 'Unknown link', text: 'This link does not work any more, or is not complete.' },
      unavailable: {
        heading: 'Please try again in a moment',
        text: 'We could not save your answer. The link still works.',
      },
    },
  },
  es: {
    title: 'Confirmación',
    question: '¿Pidió usted un código de {{brand}} para este correo?',
    hint: 'Confirme solo si fue usted quien lo pidió.',
    yes: 'Sí, fui yo',
    no: 'No fui yo',
    deny: {
      question: '¿No pidió usted este código de {{brand}}?',
      hint: 'Avísenos aquí, aunque el código ya se haya usado. Si fue usted quien lo pidió, cierre esta página.',
    },
    superseded: {
      heading: 'Hay un mensaje más nuevo',
      text: 'Solo vale el último que recibió. Si no fue usted quien lo pidió, avísenos aquí mismo.',
    },
    results: {
      confirmed: { heading: 'Confirmado', text: 'Gracias. Ya puede cerrar esta página.' },
      denied: { heading: 'Gracias por avisar', text: 'Anotamos que no fue usted. Nadie puede usar ya esta solicitud.' },
      noted: {
        heading: 'Respuesta anotada',
        text: 'Usted respondió «{{reply}}», y esta solicitud está cerrada. Ya puede cerrar esta página.',
      },
      expired: { heading: 'El plazo terminó', text: 'Esta solicitud ya no vale. Si aún la necesita, pida otra.' },
      closed: { heading: 'Esta solicitud está cerrada', text: 'Se usó, o una más nueva ocupó su lugar.' },
      unknown: {
        heading: 'Enlace desconocido',
        text: 'Este enlace ya no funciona o no está completo.',
      },
      unavailable: {
        heading: 'Inténtelo de nuevo en un momento',
        text: 'No pudimos registrar su respuesta ahora. El enlace sigue valiendo.',
      },
    },
  },
};
