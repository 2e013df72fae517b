/** Further texts of the client's page in one language. */
export interface ClientTexts {
  preparedFor: string;
  guests: (count: number, written: string) => string;
  yourOffer: string;
  exclTax: string;
  inclTax: string;
  taxOn: (rate: string, net: string) => string;
  /** The heading of lines without a group. */
  otherLines: string;
  payments: string;
  balance: string;
  terms: string;
  contact: string;
  taxNumber: string;
  daysLeft: (days: number) => string;
  acceptNow: string;
  next: string;
  nextContact: (venue: string) => string;
  nextDeposit: (amount: string) => string;
  question: string;
  questionLabel: string;
  ask: string;
  asked: (venue: string) => string;
  tooManyQuestions: string;
  /** What was refused, at the top of the page. */
  notAsked: string;
  notAccepted: string;
  notDeclined: string;
  toForm: string;
  tooLong: string;
}

const en: ClientTexts = {
  preparedFor: 'Prepared for',
  guests: (count, written) => `${written} ${count === 1 ? 'guest' : 'guests'}`,
  yourOffer: 'Your offer',
  exclTax: 'excl. tax',
  inclTax: 'incl. tax',
  taxOn: (rate, net) => `${rate} tax on ${net}`,
  otherLines: 'Other',
  payments: 'Payment schedule',
  balance: 'Balance',
  terms: 'Terms',
  contact: 'Your contact',
  taxNumber: 'Tax number',
  daysLeft: (days) => (days === 0 ? 'Last day to accept' : `${days} ${days === 1 ? 'day' : 'days'} left`),
  acceptNow: 'Go to acceptance',
  next: 'What happens next',
  nextContact: (venue) => `${venue} has your acceptance and will be in touch about the next steps.`,
  nextDeposit: (amount) =>
    `Please pay the deposit of ${amount}. You will get the payment details with the invoice.`,
  question: 'Ask a question',
  questionLabel: 'Your question',
  ask: 'Send question',
  asked: (venue) => `Your question was sent to ${venue}.`,
  tooManyQuestions: 'That was many questions at once. Try again later, or call or write.',
  notAsked: 'Your question was not sent: the form has a problem.',
  notAccepted: 'This proposal is not accepted yet: the form has a problem.',
  notDeclined: 'This proposal is not declined yet: the form has a problem.',
  toForm: 'Go to the form',
  tooLong: 'Please shorten this.',
};

const de: ClientTexts = {
  preparedFor: 'Erstellt für',
  guests: (count, written) => `${written} ${count === 1 ? 'Gast' : 'Gäste'}`,
  yourOffer: 'Ihr Angebot',
  exclTax: 'ohne Steuer',
  inclTax: 'inkl. Steuer',
  taxOn: (rate, net) => `${rate} Steuer auf ${net}`,
  otherLines: 'Weiteres',
  payments: 'Zahlungsplan',
  balance: 'Restbetrag',
  terms: 'Bedingungen',
  contact: 'Ihr Kontakt',
  taxNumber: 'Steuernummer',
  daysLeft: (days) =>
    days === 0 ? 'Letzter Tag zur Annahme' : `Noch ${days} ${days === 1 ? 'Tag' : 'Tage'}`,
  acceptNow: 'Zur Annahme',
  next: 'Wie es weitergeht',
  nextContact: (venue) => `${venue} hat Ihre Annahme erhalten und meldet sich zu den nächsten Schritten.`,
  nextDeposit: (amount) =>
    `Bitte zahlen Sie die Anzahlung von ${amount}. Die Zahlungsdaten erhalten Sie mit der Rechnung.`,
  question: 'Eine Frage stellen',
  questionLabel: 'Ihre Frage',
  ask: 'Frage senden',
  asked: (venue) => `Ihre Frage wurde an ${venue} gesendet.`,
  tooManyQuestions: 'Das waren viele Fragen auf einmal. Versuchen Sie es später erneut, oder rufen Sie an.',
  notAsked: 'Ihre Frage wurde nicht gesendet: Das Formular hat einen Fehler.',
  notAccepted: 'Das Angebot ist noch nicht angenommen: Das Formular hat einen Fehler.',
  notDeclined: 'Das Angebot ist noch nicht abgelehnt: Das Formular hat einen Fehler.',
  toForm: 'Zum Formular',
  tooLong: 'Bitte kürzen.',
};

const es: ClientTexts = {
  preparedFor: 'Preparada para',
  guests: (count, written) => `${written} ${count === 1 ? 'invitado' : 'invitados'}`,
  yourOffer: 'Su propuesta',
  exclTax: 'sin impuestos',
  inclTax: 'impuestos incluidos',
  taxOn: (rate, net) => `Impuesto del ${rate} sobre ${net}`,
  otherLines: 'Otros',
  payments: 'Calendario de pagos',
  balance: 'Resto',
  terms: 'Condiciones',
  contact: 'Su contacto',
  taxNumber: 'Número fiscal',
  daysLeft: (days) =>
    days === 0 ? 'Último día para aceptar' : days === 1 ? 'Queda 1 día' : `Quedan ${days} días`,
  acceptNow: 'Ir a la aceptación',
  next: 'Próximos pasos',
  nextContact: (venue) => `${venue} ha recibido su aceptación y se pondrá en contacto con usted.`,
  nextDeposit: (amount) => `Pague la señal de ${amount}. Recibirá los datos de pago con la factura.`,
  question: 'Hacer una pregunta',
  questionLabel: 'Su pregunta',
  ask: 'Enviar pregunta',
  asked: (venue) => `Su pregunta se ha enviado a ${venue}.`,
  tooManyQuestions: 'Son muchas preguntas a la vez. Inténtelo más tarde, o llame o escriba.',
  notAsked: 'Su pregunta no se ha enviado: el formulario tiene un error.',
  notAccepted: 'La propuesta aún no se ha aceptado: el formulario tiene un error.',
  notDeclined: 'La propuesta aún no se ha rechazado: el formulario tiene un error.',
  toForm: 'Ir al formulario',
  tooLong: 'Acorte este texto.',
};

const fr: ClientTexts = {
  preparedFor: 'Préparée pour',
  guests: (count, written) => `${written} ${count === 1 ? 'invité' : 'invités'}`,
  yourOffer: 'Votre proposition',
  exclTax: 'hors taxes',
  inclTax: 'toutes taxes comprises',
  taxOn: (rate, net) => `Taxe de ${rate} sur ${net}`,
  otherLines: 'Autres',
  payments: 'Échéancier',
  balance: 'Solde',
  terms: 'Conditions',
  contact: 'Votre contact',
  taxNumber: 'Numéro fiscal',
  daysLeft: (days) =>
    days === 0 ? 'Dernier jour pour accepter' : `Encore ${days} ${days === 1 ? 'jour' : 'jours'}`,
  acceptNow: 'Aller à l’acceptation',
  next: 'Et maintenant',
  nextContact: (venue) => `${venue} a reçu votre acceptation et vous contactera pour la suite.`,
  nextDeposit: (amount) =>
    `Veuillez régler l’acompte de ${amount}. Vous recevrez les coordonnées de paiement avec la facture.`,
  question: 'Poser une question',
  questionLabel: 'Votre question',
  ask: 'Envoyer la question',
  asked: (venue) => `Votre question a été envoyée à ${venue}.`,
  tooManyQuestions: 'Cela fait beaucoup de questions. Réessayez plus tard, ou appelez ou écrivez.',
  notAsked: 'Votre question n’a pas été envoyée : le formulaire contient une erreur.',
  notAccepted: 'La proposition n’est pas encore acceptée : le formulaire contient une erreur.',
  notDeclined: 'La proposition n’est pas encore refusée : le formulaire contient une erreur.',
  toForm: 'Aller au formulaire',
  tooLong: 'Veuillez raccourcir ce texte.',
};

/** By language: see `textsFor`. */
export const CLIENT_TEXTS: Record<string, ClientTexts> = { en, de, es, fr };
