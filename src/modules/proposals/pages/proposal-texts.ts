import type { Unit } from '../domain/line-item';

/** What the client's page says, in one language. */
export interface ProposalTexts {
  proposal: string;
  version: string;
  test: string;
  item: string;
  quantity: string;
  unitPrice: string;
  tax: string;
  amount: string;
  units: Record<Unit, string>;
  subtotal: string;
  taxTotal: string;
  total: string;
  deposit: string;
  dueOn: (day: string) => string;
  validUntil: (day: string) => string;
  acceptTitle: string;
  yourName: string;
  consent: (venue: string) => string;
  accept: string;
  required: string;
  declineTitle: string;
  reason: string;
  /** That the client is sure: declining can’t be undone. */
  declineConsent: string;
  decline: string;
  accepted: (name: string, when: string) => string;
  declined: (when: string) => string;
  expired: (day: string) => string;
  withdrawn: string;
  tooLate: string;
  gone: string;
  goneHint: string;
  print: string;
}

const en: ProposalTexts = {
  proposal: 'Proposal',
  version: 'version',
  test: 'Test mode: this is a trial, not an offer. Accepting it binds nobody.',
  item: 'Item',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  tax: 'Tax',
  amount: 'Amount',
  units: { flat: '', per_guest: 'per guest', per_hour: 'per hour', per_day: 'per day' },
  subtotal: 'Subtotal',
  taxTotal: 'Tax',
  total: 'Total',
  deposit: 'Deposit',
  dueOn: (day) => `due on ${day}`,
  validUntil: (day) => `Valid until ${day}`,
  acceptTitle: 'Accept this proposal',
  yourName: 'Your full name',
  consent: () => 'I accept this proposal and its terms.',
  accept: 'Accept',
  required: 'Please fill this in.',
  declineTitle: 'Not for you?',
  reason: 'Reason (optional)',
  declineConsent: 'I decline this proposal. This can’t be undone.',
  decline: 'Decline',
  accepted: (name, when) => `Accepted by ${name} on ${when}.`,
  declined: (when) => `Declined on ${when}.`,
  expired: (day) => `This proposal was valid until ${day}. Ask for a new one.`,
  withdrawn: 'This proposal was withdrawn or replaced. Ask for the latest one.',
  tooLate: 'This proposal was already answered, so nothing was changed.',
  gone: 'This proposal is not available',
  goneHint: 'The link is incomplete or no longer works. Ask whoever sent it to you for a new one.',
  print: 'To keep a copy, print this page or save it as a PDF.',
};

const de: ProposalTexts = {
  proposal: 'Angebot',
  version: 'Fassung',
  test: 'Testmodus: Dies ist ein Versuch, kein Angebot. Die Annahme bindet niemanden.',
  item: 'Leistung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  tax: 'Steuer',
  amount: 'Betrag',
  units: { flat: '', per_guest: 'pro Gast', per_hour: 'pro Stunde', per_day: 'pro Tag' },
  subtotal: 'Zwischensumme',
  taxTotal: 'Steuer',
  total: 'Gesamtbetrag',
  deposit: 'Anzahlung',
  dueOn: (day) => `fällig am ${day}`,
  validUntil: (day) => `Gültig bis ${day}`,
  acceptTitle: 'Angebot annehmen',
  yourName: 'Ihr vollständiger Name',
  consent: (venue) => `Ich nehme das Angebot von ${venue} zu den genannten Bedingungen verbindlich an.`,
  accept: 'Annehmen',
  required: 'Bitte ausfüllen.',
  declineTitle: 'Passt es nicht?',
  reason: 'Grund (freiwillig)',
  declineConsent: 'Ich lehne dieses Angebot ab. Das lässt sich nicht rückgängig machen.',
  decline: 'Ablehnen',
  accepted: (name, when) => `Angenommen von ${name} am ${when}.`,
  declined: (when) => `Abgelehnt am ${when}.`,
  expired: (day) => `Dieses Angebot war bis ${day} gültig. Bitten Sie um ein neues.`,
  withdrawn: 'Dieses Angebot wurde zurückgezogen oder ersetzt. Bitten Sie um das neueste.',
  tooLate: 'Dieses Angebot wurde bereits beantwortet. Es wurde nichts geändert.',
  gone: 'Dieses Angebot ist nicht verfügbar',
  goneHint: 'Der Link ist unvollständig oder gilt nicht mehr. Bitten Sie um einen neuen.',
  print: 'Für Ihre Unterlagen: diese Seite drucken oder als PDF speichern.',
};

const es: ProposalTexts = {
  proposal: 'Propuesta',
  version: 'versión',
  test: 'Modo de prueba: es un ensayo, no una oferta. Aceptarla no obliga a nadie.',
  item: 'Concepto',
  quantity: 'Cantidad',
  unitPrice: 'Precio unitario',
  tax: 'Impuesto',
  amount: 'Importe',
  units: { flat: '', per_guest: 'por invitado', per_hour: 'por hora', per_day: 'por día' },
  subtotal: 'Subtotal',
  taxTotal: 'Impuestos',
  total: 'Total',
  deposit: 'Señal',
  dueOn: (day) => `a pagar el ${day}`,
  validUntil: (day) => `Válida hasta el ${day}`,
  acceptTitle: 'Aceptar la propuesta',
  yourName: 'Su nombre completo',
  consent: (venue) => `Acepto la propuesta de ${venue} y sus condiciones.`,
  accept: 'Aceptar',
  required: 'Rellene este campo.',
  declineTitle: '¿No le conviene?',
  reason: 'Motivo (opcional)',
  declineConsent: 'Rechazo esta propuesta. No se puede deshacer.',
  decline: 'Rechazar',
  accepted: (name, when) => `Aceptada por ${name} el ${when}.`,
  declined: (when) => `Rechazada el ${when}.`,
  expired: (day) => `Esta propuesta era válida hasta el ${day}. Pida una nueva.`,
  withdrawn: 'Esta propuesta se ha retirado o sustituido. Pida la más reciente.',
  tooLate: 'Esta propuesta ya tiene respuesta. No se ha cambiado nada.',
  gone: 'Esta propuesta no está disponible',
  goneHint: 'El enlace está incompleto o ya no funciona. Pida uno nuevo a quien se lo envió.',
  print: 'Para guardar una copia, imprima esta página o guárdela como PDF.',
};

const fr: ProposalTexts = {
  proposal: 'Proposition',
  version: 'version',
  test: 'Mode test : ceci est un essai, pas une offre. L’accepter n’engage personne.',
  item: 'Prestation',
  quantity: 'Quantité',
  unitPrice: 'Prix unitaire',
  tax: 'Taxe',
  amount: 'Montant',
  units: { flat: '', per_guest: 'par invité', per_hour: 'par heure', per_day: 'par jour' },
  subtotal: 'Sous-total',
  taxTotal: 'Taxes',
  total: 'Total',
  deposit: 'Acompte',
  dueOn: (day) => `à régler le ${day}`,
  validUntil: (day) => `Valable jusqu’au ${day}`,
  acceptTitle: 'Accepter la proposition',
  yourName: 'Votre nom complet',
  consent: (venue) => `J’accepte la proposition de ${venue} et ses conditions.`,
  accept: 'Accepter',
  required: 'Veuillez remplir ce champ.',
  declineTitle: 'Elle ne vous convient pas ?',
  reason: 'Raison (facultatif)',
  declineConsent: 'Je refuse cette proposition. C’est définitif.',
  decline: 'Refuser',
  accepted: (name, when) => `Acceptée par ${name} le ${when}.`,
  declined: (when) => `Refusée le ${when}.`,
  expired: (day) => `Cette proposition était valable jusqu’au ${day}. Demandez-en une nouvelle.`,
  withdrawn: 'Cette proposition a été retirée ou remplacée. Demandez la plus récente.',
  tooLate: 'Cette proposition a déjà reçu une réponse. Rien n’a été modifié.',
  gone: 'Cette proposition n’est pas disponible',
  goneHint: 'Le lien est incomplet ou ne fonctionne plus. Demandez-en un nouveau à son expéditeur.',
  print: 'Pour en garder une copie, imprimez cette page ou enregistrez-la en PDF.',
};

const LANGUAGES: Record<string, ProposalTexts> = { en, de, es, fr };

/** The texts in the locale's language, and which language that is: English when there are none in its own. */
export function textsFor(locale: string): { language: string; texts: ProposalTexts } {
  const { language } = new Intl.Locale(locale);
  const texts = LANGUAGES[language];
  return texts ? { language, texts } : { language: 'en', texts: en };
}
