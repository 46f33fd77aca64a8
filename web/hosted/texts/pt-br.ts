import type { HostedTexts } from './texts';

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
const attempts = (left: number) => (left === 1 ? 'Resta 1 tentativa.' : `Restam ${left} tentativas.`);

export const ptBr: HostedTexts = {
  title: 'Confirmação',
  question: (brand) => `Você pediu um código de ${brand} para este e-mail?`,
  hint: 'Confirme só se foi você quem pediu.',
  yes: 'Sim, fui eu',
  no: 'Não fui eu',
  deny: {
    question: (brand) => `Você não pediu este código de ${brand}?`,
    hint: 'Avise aqui, mesmo que o código já tenha sido usado. Se foi você quem pediu, feche esta página.',
  },
  superseded: {
    heading: 'Há uma mensagem mais nova',
    text: 'Vale só a última que você recebeu. Se não foi você quem pediu, avise aqui mesmo.',
  },
  code: {
    heading: 'Digite o código',
    lead: {
      sms: (brand, to) => `${brand} enviou um código por SMS para o seu celular ${to}.`,
      whatsapp: (brand, to) => `${brand} enviou um código para o seu WhatsApp ${to}.`,
      voice: (brand, to) => `${brand} liga para o seu telefone ${to} e diz um código.`,
      email: (brand, to) => `${brand} enviou um código para o seu e-mail ${to}.`,
    },
    validFor: (minutes) => `Ele vale por mais ${count(minutes, 'minuto')}.`,
    label: 'Código',
    submit: 'Confirmar',
    errorTitle: 'Erro',
    invalid: (left) => `Este código está errado. ${attempts(left)}`,
    superseded: (left) => `Este código é de uma mensagem anterior. Digite o código mais novo. ${attempts(left)}`,
    noCode: 'Digite o código da mensagem. Ele só tem números.',
  },
  another: {
    again: 'Enviar a mensagem de novo',
    newCode: 'Enviar um código novo',
    in: (seconds) => `em ${seconds} s`,
    sent: 'Enviamos a mensagem.',
    tooSoon: (seconds) => `Enviamos uma mensagem há pouco. Você pode pedir outra em ${count(seconds, 'segundo')}.`,
    limit: 'Não podemos enviar mais mensagens para este pedido.',
    refused: 'Não conseguimos enviar a mensagem para este destino.',
    notSent: 'Não conseguimos enviar a mensagem agora. Tente de novo mais tarde.',
  },
  results: {
    confirmed: { heading: 'Confirmado', text: 'Obrigado. Você já pode fechar esta página.' },
    denied: {
      heading: 'Obrigado por avisar',
      text: 'Registramos que não foi você. Ninguém pode mais usar este pedido.',
    },
    noted: {
      heading: 'Resposta registrada',
      text: (reply) => `Você respondeu “${reply}”, e este pedido foi encerrado. Você já pode fechar esta página.`,
    },
    blocked: { heading: 'Muitos códigos errados', text: 'Este código não vale mais. Peça outro.' },
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
  back: (host) => `Voltar para ${host}`,
};
