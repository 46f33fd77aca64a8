import type { BiometricsTexts } from './texts';

export const es: BiometricsTexts = {
  title: 'Verificación de identidad',
  loading: 'Un momento…',
  noScript: 'Esta página necesita JavaScript para usar la cámara. Actívelo o abra el enlace en otro navegador.',
  progress: 'Paso {{step}} de {{steps}}',
  consent: {
    heading: 'Confirmemos que es usted',
    lead: '{{brand}} le pide tres fotos. Toma unos dos minutos. Tenga a mano su documento de identidad.',
    points: {
      what: { heading: 'Qué se toma', text: 'El frente y el reverso del documento y una foto de su rostro.' },
      why: {
        heading: 'Para qué',
        text: 'Solo para comprobar que el documento es suyo y que es usted quien está aquí.',
      },
      kept: { heading: 'Cuánto se guarda', text: 'Cifradas, durante {{days}} días. Después se borran las fotos.' },
      seen: {
        heading: 'Quién las ve',
        text: 'Solo quienes hacen esta revisión en {{brand}}. Cada acceso queda registrado.',
      },
    },
    seenByVerifier: {
      heading: 'Quién las ve',
      text: 'Un programa que compara rostros por encargo de {{brand}}, y quienes hacen esta revisión en {{brand}}. Cada acceso queda registrado.',
    },
    agree: 'Acepto que {{brand}} tome estas fotos y compare mi rostro con mi documento.',
    button: 'Aceptar y continuar',
    missing: 'Marque primero la casilla. Sin su consentimiento no se toma ninguna foto.',
    otherwise: 'Si no está de acuerdo, cierre esta página. No se ha tomado nada.',
  },
  where: {
    noCamera: {
      heading: 'Continúe en su teléfono',
      text: 'Este dispositivo no tiene una cámara que podamos usar. Con un teléfono es más fácil.',
    },
    inApp: {
      heading: 'Abra esta página en su navegador',
      text: 'Está dentro de otra aplicación, donde la cámara a menudo no funciona. Abra el menú y elija “Abrir en el navegador”, o copie el enlace y péguelo allí.',
    },
    scan: 'Apunte la cámara de su teléfono a este código y abra el enlace.',
    qr: 'Código QR con la dirección de esta página',
    files: 'Continuar aquí con archivos',
    here: 'Continuar aquí de todos modos',
    copy: 'Copiar el enlace',
    copied: 'Enlace copiado',
    moved: {
      heading: 'Continúa en otro lugar',
      text: 'El enlace está abierto en otro dispositivo. Puede cerrar esta página.',
    },
  },
  captures: {
    documentFront: {
      heading: 'Frente de su documento',
      lead: 'El lado con su foto: documento de identidad, licencia de conducir u otro documento con foto.',
      tips: ['Sáquelo de su funda', 'Apóyelo sobre una superficie oscura y lisa', 'Sin flash: evite reflejos'],
      aim: 'Encaje el frente en el marco',
      shot: 'Su foto del frente del documento',
    },
    documentBack: {
      heading: 'Reverso de su documento',
      lead: 'Ahora dé vuelta el documento.',
      tips: ['Las cuatro esquinas dentro de la foto', 'Todas las líneas nítidas y legibles'],
      aim: 'Encaje el reverso en el marco',
      shot: 'Su foto del reverso del documento',
    },
    selfie: {
      heading: 'Una foto de su rostro',
      lead: 'Mire directo a la cámara.',
      tips: ['Sin gafas de sol, gorra ni mascarilla', 'Luz de frente, no por detrás', 'Nadie más en la foto'],
      aim: 'Encaje su rostro en el óvalo',
      shot: 'Su foto del rostro',
    },
  },
  camera: {
    open: 'Abrir la cámara',
    starting: 'Iniciando la cámara. Si el navegador pregunta, permítala.',
    shutter: 'Tomar la foto',
    broken: 'La cámara no funciona',
    again: 'Probar la cámara otra vez',
    file: 'Elegir una foto',
    issues: {
      absent: 'No encontramos una cámara aquí. Puede elegir una foto.',
      denied: 'El navegador no nos deja usar la cámara. Permítala en los ajustes de esta página o elija una foto.',
      busy: 'Otra aplicación está usando la cámara. Ciérrela e inténtelo de nuevo, o elija una foto.',
      failed: 'La cámara no se inició. Inténtelo de nuevo o elija una foto.',
    },
  },
  review: {
    heading: '¿Quedó bien?',
    ask: '¿Todo nítido, claro y dentro de la foto?',
    use: 'Usar esta foto',
    again: 'Tomar otra',
    doubt: 'Mejor tome otra',
    anyway: 'Enviar de todos modos',
  },
  issues: {
    unreadable: 'No se puede leer este archivo. Tome la foto otra vez o elija otra.',
    too_large: 'Esta foto es demasiado grande. Elija una de menos de 30 megabytes.',
    not_an_image: 'No es una foto que podamos leer. Elija un JPEG o un PNG.',
    too_small: 'La foto es demasiado pequeña para leerla. Acérquese o elija una de mejor calidad.',
    too_dark: 'Está demasiado oscura. Vaya a un lugar con más luz o encienda una lámpara.',
    too_bright: 'Está demasiado clara. Evite la luz directa y apague el flash.',
    blurred: 'Está borrosa. No se mueva, limpie el lente y espere a que la imagen sea nítida.',
  },
  sending: {
    heading: 'Enviando su foto',
    text: 'Mantenga abierta esta página.',
    percent: '{{percent}}% enviado',
    finishing: 'Terminando…',
    kept: 'Foto recibida',
  },
  waiting: {
    offline: 'Se cortó la conexión. Seguimos solos en cuanto vuelva.',
    busy: 'Hay mucho movimiento ahora. Lo intentamos de nuevo en {{seconds}} segundos.',
    back: 'La conexión volvió.',
  },
  done: {
    heading: 'Todo listo, gracias',
    text: 'Sus fotos llegaron de forma segura. {{brand}} las revisará. Ya puede cerrar esta página.',
  },
  doneWithMessage: {
    heading: 'Todo listo, gracias',
    text: 'Sus fotos llegaron de forma segura. {{brand}} las revisará, y usted recibirá un mensaje cuando termine la verificación. Ya puede cerrar esta página.',
  },
  decided: {
    heading: 'Su verificación terminó',
    text: '{{brand}} ya revisó sus fotos. Puede cerrar esta página.',
  },
  trouble: {
    heading: 'Algo salió mal',
    text: 'Nada de lo que envió se perdió. Inténtelo de nuevo y seguirá donde estaba.',
    button: 'Intentar de nuevo',
  },
  back: {
    link: 'Volver a {{host}}',
    soon: 'Volverá a {{host}} en {{seconds}} segundos.',
    stay: 'Quedarme en esta página',
  },
  outside: 'Abrir la página en otra pestaña',
  closed: {
    expired: { heading: 'El plazo terminó', text: 'Este enlace ya no vale. Pida otro a {{brand}}.' },
    canceled: { heading: 'Hay un enlace más nuevo', text: 'Solo vale el último enlace que recibió. Abra ese.' },
    ended: {
      heading: 'Esta verificación terminó',
      text: 'No hace falta que haga nada más aquí. Puede cerrar esta página.',
    },
    erased: {
      heading: 'Esta verificación se detuvo',
      text: 'Las fotos tomadas se borraron. Si {{brand}} todavía las necesita, recibirá un enlace nuevo.',
    },
    used: { heading: 'Este enlace ya se usó', text: 'Las fotos ya se enviaron. Puede cerrar esta página.' },
    unknown: { heading: 'Enlace desconocido', text: 'Este enlace ya no funciona o no está completo.' },
    taken: {
      heading: 'Abierto en otro dispositivo',
      text: 'Para protegerle, un enlace solo funciona en el navegador que lo abrió primero. Continúe allí. Si no fue usted, avise a {{brand}}.',
    },
    cookies: {
      heading: 'Las cookies están bloqueadas',
      text: 'Permita las cookies en esta página, o ábrala en otro navegador. Una sola cookie separa sus fotos de las de los demás.',
    },
    unavailable: {
      heading: 'Inténtelo de nuevo en un momento',
      text: 'No podemos abrirlo ahora. El enlace sigue valiendo.',
    },
  },
};
