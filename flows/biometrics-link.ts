import { defineLinkMessages } from '../domain/biometrics/link-message';

/**
 * What a person reads when the service itself sends the link to the biometrics page. The life of a link is a setting and
 * may be one hour, so hours stand as `h`, which has no plural.
 */
export const biometricsLink = defineLinkMessages({
  // Letters of the GSM alphabet alone (no ç, ã, ó): one other letter would make three billed messages of one.
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
  // The button of a mail carries the link.
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
