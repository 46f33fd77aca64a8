import type { BiometricsTexts } from './texts';

export const ptBr: BiometricsTexts = {
  title: 'Verificação de identidade',
  loading: 'Um momento…',
  noScript: 'Esta página precisa de JavaScript para usar a câmera. Ative-o ou abra o link em outro navegador.',
  progress: 'Etapa {{step}} de {{steps}}',
  consent: {
    heading: 'Vamos confirmar que é você',
    lead: '{{brand}} pede três fotos. Leva uns dois minutos. Tenha o seu documento de identidade à mão.',
    points: {
      what: { heading: 'O que é coletado', text: 'A frente e o verso do documento e uma foto do seu rosto.' },
      why: { heading: 'Para quê', text: 'Só para conferir que o documento é seu e que é você quem está aqui.' },
      kept: { heading: 'Por quanto tempo', text: 'Ficam cifradas por {{days}} dias. Depois, as fotos são apagadas.' },
      seen: { heading: 'Quem vê', text: 'Só quem faz esta conferência em {{brand}}. Cada acesso fica registrado.' },
    },
    seenByVerifier: {
      heading: 'Quem vê',
      text: 'Um programa que compara rostos a serviço de {{brand}}, e quem faz esta conferência em {{brand}}. Cada acesso fica registrado.',
    },
    agree: 'Concordo que {{brand}} colete estas fotos e compare o meu rosto com o meu documento.',
    button: 'Concordar e continuar',
    missing: 'Marque a caixa primeiro. Sem o seu consentimento, nenhuma foto é tirada.',
    otherwise: 'Se não concordar, basta fechar esta página. Nada foi coletado.',
  },
  where: {
    noCamera: {
      heading: 'Continue pelo celular',
      text: 'Este aparelho não tem uma câmera que possamos usar. Pelo celular é mais fácil.',
    },
    inApp: {
      heading: 'Abra esta página no navegador',
      text: 'Você está dentro de outro aplicativo, onde a câmera muitas vezes não funciona. Abra o menu e escolha “Abrir no navegador”, ou copie o link e cole lá.',
    },
    scan: 'Aponte a câmera do celular para este código e abra o link.',
    qr: 'Código QR com o endereço desta página',
    files: 'Continuar aqui com arquivos',
    here: 'Continuar aqui mesmo assim',
    copy: 'Copiar o link',
    copied: 'Link copiado',
    moved: {
      heading: 'Continuando em outro lugar',
      text: 'O link foi aberto em outro aparelho. Você pode fechar esta página.',
    },
  },
  captures: {
    documentFront: {
      heading: 'Frente do documento',
      lead: 'O lado com a sua foto: RG, CNH ou outro documento com foto.',
      tips: ['Tire o documento da capa', 'Apoie em uma superfície escura e lisa', 'Sem flash: evite reflexos'],
      aim: 'Encaixe a frente na moldura',
      shot: 'A sua foto da frente do documento',
    },
    documentBack: {
      heading: 'Verso do documento',
      lead: 'Agora vire o documento.',
      tips: ['Os quatro cantos dentro da foto', 'Todas as linhas nítidas e legíveis'],
      aim: 'Encaixe o verso na moldura',
      shot: 'A sua foto do verso do documento',
    },
    selfie: {
      heading: 'Uma foto do seu rosto',
      lead: 'Olhe direto para a câmera.',
      tips: ['Sem óculos escuros, boné ou máscara', 'Luz de frente, não por trás', 'Ninguém mais na foto'],
      aim: 'Encaixe o rosto no oval',
      shot: 'A sua foto do rosto',
    },
  },
  camera: {
    open: 'Abrir a câmera',
    starting: 'Iniciando a câmera. Se o navegador perguntar, permita.',
    shutter: 'Tirar a foto',
    broken: 'A câmera não funciona',
    again: 'Tentar a câmera de novo',
    file: 'Escolher uma foto',
    issues: {
      absent: 'Não encontramos uma câmera aqui. Você pode escolher uma foto.',
      denied: 'O navegador não nos deixa usar a câmera. Permita nas configurações desta página ou escolha uma foto.',
      busy: 'Outro aplicativo está usando a câmera. Feche-o e tente de novo, ou escolha uma foto.',
      failed: 'A câmera não iniciou. Tente de novo ou escolha uma foto.',
    },
  },
  review: {
    heading: 'Ficou boa?',
    ask: 'Tudo nítido, claro e dentro da foto?',
    use: 'Usar esta foto',
    again: 'Tirar outra',
    doubt: 'Melhor tirar outra',
    anyway: 'Enviar mesmo assim',
  },
  issues: {
    unreadable: 'Não foi possível ler este arquivo. Tire a foto de novo ou escolha outra.',
    too_large: 'Esta foto é grande demais. Escolha uma de menos de 30 megabytes.',
    not_an_image: 'Esta não é uma foto que possamos ler. Escolha um JPEG ou PNG.',
    too_small: 'A foto é pequena demais para ler. Chegue mais perto ou escolha uma de melhor qualidade.',
    too_dark: 'Está escuro demais. Vá para um lugar mais claro ou acenda uma luz.',
    too_bright: 'Está claro demais. Evite luz direta e desligue o flash.',
    blurred: 'Está tremida. Fique firme, limpe a lente e espere a imagem ficar nítida.',
  },
  sending: {
    heading: 'Enviando a foto',
    text: 'Mantenha esta página aberta.',
    percent: '{{percent}}% enviado',
    finishing: 'Concluindo…',
    kept: 'Foto recebida',
  },
  waiting: {
    offline: 'A conexão caiu. Continuamos sozinhos assim que ela voltar.',
    busy: 'Há muito movimento agora. Tentamos de novo em {{seconds}} segundos.',
    back: 'A conexão voltou.',
  },
  done: {
    heading: 'Tudo pronto, obrigado',
    text: 'As suas fotos chegaram com segurança. {{brand}} vai conferir. Já pode fechar esta página.',
  },
  doneWithMessage: {
    heading: 'Tudo pronto, obrigado',
    text: 'As suas fotos chegaram com segurança. {{brand}} vai conferir, e você vai receber uma mensagem quando a verificação terminar. Já pode fechar esta página.',
  },
  decided: {
    heading: 'A sua verificação terminou',
    text: '{{brand}} já conferiu as fotos. Você pode fechar esta página.',
  },
  trouble: {
    heading: 'Algo deu errado',
    text: 'Nada do que você enviou se perdeu. Tente de novo e continue de onde parou.',
    button: 'Tentar de novo',
  },
  back: {
    link: 'Voltar para {{host}}',
    soon: 'Você volta para {{host}} em {{seconds}} segundos.',
    stay: 'Ficar nesta página',
  },
  outside: 'Abrir a página em outra aba',
  closed: {
    expired: { heading: 'O prazo acabou', text: 'Este link não vale mais. Peça outro a {{brand}}.' },
    canceled: { heading: 'Há um link mais novo', text: 'Vale só o último link que você recebeu. Abra aquele.' },
    ended: {
      heading: 'Esta verificação terminou',
      text: 'Você não precisa fazer mais nada aqui. Pode fechar esta página.',
    },
    erased: {
      heading: 'Esta verificação foi encerrada',
      text: 'As fotos tiradas foram apagadas. Se {{brand}} ainda precisar delas, você vai receber um novo link.',
    },
    used: { heading: 'Este link já foi usado', text: 'As fotos já foram enviadas. Você pode fechar esta página.' },
    unknown: { heading: 'Link desconhecido', text: 'Este link não funciona mais ou não está completo.' },
    taken: {
      heading: 'Aberto em outro aparelho',
      text: 'Para a sua proteção, o link só funciona no navegador que o abriu primeiro. Continue por lá. Se não foi você, avise {{brand}}.',
    },
    cookies: {
      heading: 'Os cookies estão bloqueados',
      text: 'Permita cookies nesta página, ou abra em outro navegador. Um só cookie separa as suas fotos das de outras pessoas.',
    },
    unavailable: {
      heading: 'Tente de novo em instantes',
      text: 'Não conseguimos abrir agora. O link continua valendo.',
    },
  },
};
