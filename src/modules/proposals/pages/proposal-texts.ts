import type { Unit } from '../domain/line-item';

/** The texts of the client's page in one language. */
export interface ProposalTexts {
  proposal: string;
  version: string;
  test: string;
  /** For members of the workspace, whose visits aren't counted and who can't answer. */
  preview: string;
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
  /** Confirms that the client is sure: declining can’t be undone. */
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
  test: 'Test mode: this is not a real offer. Accepting it has no effect.',
  preview: 'Preview: your visit isn’t counted. Only the client can accept or decline.',
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
  goneHint: 'The link is incomplete or no longer works. Ask the sender for a new one.',
  print: 'To keep a copy, print this page or save it as a PDF.',
};

const de: ProposalTexts = {
  proposal: 'Angebot',
  version: 'Version',
  test: 'Testmodus: Dies ist kein echtes Angebot. Die Annahme hat keine Folgen.',
  preview: 'Vorschau: Ihr Besuch wird nicht gezählt. Nur der Kunde kann annehmen oder ablehnen.',
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
  declineTitle: 'Passt das Angebot nicht?',
  reason: 'Grund (optional)',
  declineConsent: 'Ich lehne dieses Angebot ab. Das lässt sich nicht rückgängig machen.',
  decline: 'Ablehnen',
  accepted: (name, when) => `Angenommen von ${name} am ${when}.`,
  declined: (when) => `Abgelehnt am ${when}.`,
  expired: (day) => `Dieses Angebot war bis ${day} gültig. Bitte fordern Sie ein neues an.`,
  withdrawn: 'Dieses Angebot wurde zurückgezogen oder ersetzt. Bitte fordern Sie das aktuelle an.',
  tooLate: 'Dieses Angebot wurde bereits beantwortet, es wurde daher nichts geändert.',
  gone: 'Dieses Angebot ist nicht verfügbar',
  goneHint:
    'Der Link ist unvollständig oder nicht mehr gültig. Bitte fordern Sie beim Absender einen neuen an.',
  print: 'Für Ihre Unterlagen können Sie diese Seite drucken oder als PDF speichern.',
};

const es: ProposalTexts = {
  proposal: 'Propuesta',
  version: 'versión',
  test: 'Modo de prueba: esta propuesta no es real. Aceptarla no tiene ningún efecto.',
  preview: 'Vista previa: su visita no se cuenta. Solo el cliente puede aceptar o rechazar.',
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
  declineTitle: '¿No le interesa?',
  reason: 'Motivo (opcional)',
  declineConsent: 'Rechazo esta propuesta. No se puede deshacer.',
  decline: 'Rechazar',
  accepted: (name, when) => `Aceptada por ${name} el ${when}.`,
  declined: (when) => `Rechazada el ${when}.`,
  expired: (day) => `Esta propuesta era válida hasta el ${day}. Solicite una nueva.`,
  withdrawn: 'Esta propuesta se ha retirado o sustituido. Solicite la más reciente.',
  tooLate: 'Esta propuesta ya ha sido respondida, así que no se ha cambiado nada.',
  gone: 'Esta propuesta no está disponible',
  goneHint: 'El enlace está incompleto o ya no funciona. Solicite uno nuevo a quien se lo envió.',
  print: 'Para guardar una copia, imprima esta página o guárdela como PDF.',
};

const fr: ProposalTexts = {
  proposal: 'Proposition',
  version: 'version',
  test: 'Mode test : cette proposition n’est pas réelle. L’accepter n’a aucun effet.',
  preview: 'Aperçu : votre visite n’est pas comptée. Seul le client peut accepter ou refuser.',
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
  reason: 'Motif (facultatif)',
  declineConsent: 'Je refuse cette proposition. Ce choix est définitif.',
  decline: 'Refuser',
  accepted: (name, when) => `Acceptée par ${name} le ${when}.`,
  declined: (when) => `Refusée le ${when}.`,
  expired: (day) => `Cette proposition était valable jusqu’au ${day}. Demandez-en une nouvelle.`,
  withdrawn: 'Cette proposition a été retirée ou remplacée. Demandez la plus récente.',
  tooLate: 'Cette proposition a déjà reçu une réponse, rien n’a donc été modifié.',
  gone: 'Cette proposition n’est pas disponible',
  goneHint: 'Le lien est incomplet ou ne fonctionne plus. Demandez-en un nouveau à son expéditeur.',
  print: 'Pour en garder une copie, imprimez cette page ou enregistrez-la en PDF.',
};

const LANGUAGES: Record<string, ProposalTexts> = { en, de, es, fr };

/** The texts in the language of the locale, or in English for languages without texts. */
export function textsFor(locale: string): { language: string; texts: ProposalTexts } {
  const { language } = new Intl.Locale(locale);
  const texts = LANGUAGES[language];
  return texts ? { language, texts } : { language: 'en', texts: en };
}
