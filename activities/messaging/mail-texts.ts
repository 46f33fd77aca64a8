import type { Language } from '../../domain/person';
import type { MessageContent } from './channel';

/** The texts of mails, in addition to the message itself. */
export interface MailTexts {
  /** Label of the button that opens the hosted page. */
  button: Record<Exclude<MessageContent['kind'], 'biometricsResult'>, string>;
  /** Label of the link for a person who did not request the code. */
  deny: string;
  /** Text before the replies of a second factor. */
  repliesIntro: string;
  /** Text before the address of the page, for mail programs that show no buttons. */
  linkIntro: string;
  footer: string;
}

export const mailTexts: Record<Language, MailTexts> = {
  'pt-BR': {
    button: { token: 'Confirmar este e-mail', secondFactor: 'Responder', link: 'Tirar as fotos' },
    deny: 'Não fui eu que pedi',
    repliesIntro: 'Na página, escolha uma das respostas:',
    linkIntro: 'Se o botão não abrir, copie este endereço no navegador:',
    footer: 'Esta é uma mensagem automática. Não é preciso responder a ela.',
  },
  en: {
    button: { token: 'Confirm this e-mail', secondFactor: 'Answer', link: 'Take the pictures' },
    deny: 'I did not ask for this',
    repliesIntro: 'On the page, choose one of the answers:',
    linkIntro: 'If the button does not open, copy this address into your browser:',
    footer: 'This message was sent automatically. There is no need to reply to it.',
  },
  es: {
    button: { token: 'Confirmar este correo', secondFactor: 'Responder', link: 'Tomar las fotos' },
    deny: 'Yo no lo pedí',
    repliesIntro: 'En la página, elija una de las respuestas:',
    linkIntro: 'Si el botón no se abre, copie esta dirección en el navegador:',
    footer: 'Este es un mensaje automático. No es necesario responderlo.',
  },
};
