import type { HostedTexts } from './texts';

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
const attempts = (left: number) => (left === 1 ? 'Queda 1 intento.' : `Quedan ${left} intentos.`);

export const es: HostedTexts = {
  title: 'Confirmación',
  question: (brand) => `¿Pidió usted un código de ${brand} para este correo?`,
  hint: 'Confirme solo si fue usted quien lo pidió.',
  yes: 'Sí, fui yo',
  no: 'No fui yo',
  deny: {
    question: (brand) => `¿No pidió usted este código de ${brand}?`,
    hint: 'Avísenos aquí, aunque el código ya se haya usado. Si fue usted quien lo pidió, cierre esta página.',
  },
  superseded: {
    heading: 'Hay un mensaje más nuevo',
    text: 'Solo vale el último que recibió. Si no fue usted quien lo pidió, avísenos aquí mismo.',
  },
  code: {
    heading: 'Escriba el código',
    lead: {
      sms: (brand, to) => `${brand} envió un código por SMS a su teléfono ${to}.`,
      whatsapp: (brand, to) => `${brand} envió un código a su WhatsApp ${to}.`,
      voice: (brand, to) => `${brand} llama a su teléfono ${to} y dice un código.`,
      email: (brand, to) => `${brand} envió un código a su correo ${to}.`,
    },
    validFor: (minutes) => `Vale por ${count(minutes, 'minuto')} más.`,
    label: 'Código',
    submit: 'Confirmar',
    errorTitle: 'Error',
    invalid: (left) => `Este código es incorrecto. ${attempts(left)}`,
    superseded: (left) => `Este código es de un mensaje anterior. Escriba el código más nuevo. ${attempts(left)}`,
    noCode: 'Escriba el código del mensaje. Solo tiene dígitos.',
  },
  another: {
    again: 'Enviar el mensaje de nuevo',
    newCode: 'Enviar un código nuevo',
    in: (seconds) => `en ${seconds} s`,
    sent: 'Enviamos el mensaje.',
    tooSoon: (seconds) => `Enviamos un mensaje hace poco. Puede pedir otro en ${count(seconds, 'segundo')}.`,
    limit: 'No podemos enviar más mensajes para esta solicitud.',
    refused: 'No pudimos enviar el mensaje a este destino.',
    notSent: 'No pudimos enviar el mensaje ahora. Inténtelo más tarde.',
  },
  results: {
    confirmed: { heading: 'Confirmado', text: 'Gracias. Ya puede cerrar esta página.' },
    denied: { heading: 'Gracias por avisar', text: 'Anotamos que no fue usted. Nadie puede usar ya esta solicitud.' },
    noted: {
      heading: 'Respuesta anotada',
      text: (reply) => `Usted respondió «${reply}», y esta solicitud está cerrada. Ya puede cerrar esta página.`,
    },
    blocked: { heading: 'Demasiados códigos incorrectos', text: 'Este código ya no vale. Pida otro.' },
    expired: { heading: 'El plazo terminó', text: 'Esta solicitud ya no vale. Si aún la necesita, pida otra.' },
    closed: { heading: 'Esta solicitud está cerrada', text: 'Se usó, o una más nueva ocupó su lugar.' },
    unknown: { heading: 'Enlace desconocido', text: 'Este enlace ya no funciona o no está completo.' },
    unavailable: {
      heading: 'Inténtelo de nuevo en un momento',
      text: 'No pudimos registrar su respuesta ahora. El enlace sigue valiendo.',
    },
  },
  back: (host) => `Volver a ${host}`,
};
