import { defineDecisionTexts, defineLinkMessages } from '../domain/biometrics/messages';

/**
 * The messages with which the service sends the link to the biometrics page. The texts write `h` for hours, because `h` is right for one
 * hour and for several.
 */
export const biometricsLinkMessages = defineLinkMessages({
  // These texts have only letters of the GSM alphabet (no ç, ã, ó). With one letter outside of this alphabet, the provider would bill three
  // messages instead of one.
  sms: {
    'pt-BR': { body: '{{brand}}: confirme sua identidade com fotos em {{link}} Vale por {{hours}} h.' },
    en: { body: '{{brand}}: confirm your identity with pictures at {{link}} Open for {{hours}} h.' },
    es: { body: '{{brand}}: confirme su identidad con fotos en {{link}} Vale por {{hours}} h.' },
  },
  whatsapp: {
    'pt-BR': {
      body: 'Olá! Aqui é {{brand}}.\nPara confirmar sua identidade, precisamos de fotos do seu documento e do seu rosto. Abra esta página no celular e siga os passos:\n{{link}}\nA página fica aberta por {{hours}} h.',
    },
    en: {
      body: 'Hello! This is {{brand}}.\nTo confirm your identity, we need pictures of your document and of your face. Open this page on your phone and follow its steps:\n{{link}}\nThe page is open for {{hours}} h.',
    },
    es: {
      body: '¡Hola! Somos {{brand}}.\nPara confirmar su identidad, necesitamos fotos de su documento y de su rostro. Abra esta página en el celular y siga los pasos:\n{{link}}\nLa página está abierta por {{hours}} h.',
    },
  },
  // The link is in the button of the e-mail.
  email: {
    'pt-BR': {
      subject: '{{brand}}: confirme sua identidade',
      body: 'Para confirmar sua identidade, precisamos de fotos do seu documento e do seu rosto. Leva cerca de dois minutos.\nAbra a página no celular, com o documento em mãos. Ela fica aberta por {{hours}} h.',
    },
    en: {
      subject: '{{brand}}: confirm your identity',
      body: 'To confirm your identity, we need pictures of your document and of your face. It takes about two minutes.\nOpen the page on your phone and have your document at hand. It is open for {{hours}} h.',
    },
    es: {
      subject: '{{brand}}: confirme su identidad',
      body: 'Para confirmar su identidad, necesitamos fotos de su documento y de su rostro. Toma unos dos minutos.\nAbra la página en el celular, con el documento a mano. Está abierta por {{hours}} h.',
    },
  },
});

/** The messages after the decision on the images. They contain no result and no reason: the caller tells these to the person. */
export const biometricsDecisionTexts = defineDecisionTexts({
  // These texts also have only letters of the GSM alphabet.
  sms: {
    'pt-BR': { body: '{{brand}}: terminamos de conferir suas fotos. Entraremos em contato.' },
    en: { body: '{{brand}}: your identity check is finished. We will contact you.' },
    es: { body: '{{brand}}: terminamos de revisar sus fotos. Nos pondremos en contacto con usted.' },
  },
  whatsapp: {
    'pt-BR': {
      body: 'Olá! Aqui é {{brand}}.\nA sua verificação de identidade terminou. Vamos entrar em contato com você.',
    },
    en: { body: 'Hello! This is {{brand}}.\nYour identity check is finished. We will contact you.' },
    es: { body: '¡Hola! Somos {{brand}}.\nSu verificación de identidad terminó. Nos pondremos en contacto con usted.' },
  },
  email: {
    'pt-BR': {
      subject: '{{brand}}: a sua verificação terminou',
      body: 'A sua verificação de identidade terminou. {{brand}} vai entrar em contato com você.',
    },
    en: {
      subject: '{{brand}}: your identity check is finished',
      body: 'Your identity check is finished. {{brand}} will contact you.',
    },
    es: {
      subject: '{{brand}}: su verificación terminó',
      body: 'Su verificación de identidad terminó. {{brand}} se pondrá en contacto con usted.',
    },
  },
});
