import type { LeadTarget } from './import-options';

/**
 * Headers of columns, in the form of `plain`, in English, German, French and Spanish, and those that HubSpot, Pipedrive,
 * Google Contacts and Outlook write. The order within a field is that of preference where a file has several.
 */
const HEADERS: Readonly<Record<LeadTarget, string>> = {
  externalId:
    'externalid|external id|record id|contact id|person id|lead id|reference|ref|externe id|externe nummer|referenz|kundennummer|identifiant externe|reference externe|id externo|identificador externo|referencia',
  name: 'name|full name|contact name|person name|lead name|customer name|client name|contact|first name|given name|last name|surname|family name|vollstandiger name|kontaktname|kunde|ansprechpartner|vorname|nachname|familienname|nom complet|nom du contact|prenom|nom|nom de famille|client|nombre completo|nombre y apellidos|nombre del contacto|nombre|apellidos|apellido|contacto|cliente',
  email:
    'email|e mail|email address|e mail address|mail|email 1 value|e mail 1 value|e mail 1 address|person email work|person email|person email home|person email other|work email|primary email|contact email|e mail adresse|emailadresse|email adresse|mailadresse|courriel|adresse e mail|adresse email|adresse mail|adresse electronique|adresse de courriel|mel|correo|correo electronico|direccion de correo|direccion de correo electronico|direccion de email|email principal',
  phone:
    'phone|phone number|telephone|telephone number|mobile|mobile phone|mobile phone number|cell|cell phone|tel|phone 1 value|person phone work|person phone mobile|person phone|person phone home|primary phone|telefon|telefonnummer|handy|handynummer|mobil|mobiltelefon|mobilnummer|rufnummer|numero de telephone|portable|telephone portable|telephone mobile|telefono|numero de telefono|movil|telefono movil|celular',
  eventDate:
    'eventdate|event date|date of event|wedding date|date|event day|veranstaltungsdatum|eventdatum|datum der veranstaltung|hochzeitsdatum|datum|termin|date de l evenement|date evenement|date d evenement|date du mariage|fecha del evento|fecha evento|fecha de la boda|fecha',
  guests:
    'guests|number of guests|guest count|no of guests|headcount|attendees|number of attendees|party size|pax|gaste|anzahl gaste|gastezahl|anzahl der gaste|personen|personenzahl|anzahl personen|teilnehmer|invites|nombre d invites|nombre de convives|convives|nombre de personnes|personnes|invitados|numero de invitados|n de invitados|asistentes|comensales|personas|numero de personas',
  source:
    'source|lead source|original source|original traffic source|channel|origin|quelle|herkunft|leadquelle|lead quelle|kanal|origine|provenance|canal|fuente|origen|procedencia|fuente del lead',
  stage:
    'stage|lead stage|status|lead status|deal stage|lifecycle stage|pipeline stage|phase|stufe|etappe|leadstatus|etape|statut|etapa|estado|fase',
  tags: 'tags|tag|labels|label|person labels|group membership|categories|keywords|schlagworter|schlagworte|stichworter|etiketten|kategorien|etiquettes|mots cles|libelles|categories|etiquetas|categorias|palabras clave',
  ownerId:
    'ownerid|owner|contact owner|lead owner|assigned to|person owner|assignee|besitzer|zustandig|verantwortlich|verantwortlicher|bearbeiter|proprietaire|responsable|attribue a|propietario|asignado a|propietario del contacto',
  lostReasonId:
    'lostreasonid|lost reason|reason lost|reason for loss|verlustgrund|grund des verlusts|motif de perte|raison de la perte|motivo de perdida|razon de perdida',
  lostNote: 'lostnote|lost note|verlustnotiz|note de perte|nota de perdida',
};

const FIELD_OF = new Map<string, { field: LeadTarget; rank: number }>();
for (const [field, headers] of Object.entries(HEADERS) as [LeadTarget, string][]) {
  for (const [rank, header] of headers.split('|').entries()) {
    if (!FIELD_OF.has(header)) FIELD_OF.set(header, { field, rank });
  }
}

/** The names of the fields themselves. Anything else that a workspace calls a custom field means that. */
const OWN_NAMES = new Set(Object.keys(HEADERS).map(plain));

const FIRST_NAMES = new Set('first name|given name|vorname|prenom|nombre'.split('|'));
const LAST_NAMES = new Set(
  'last name|surname|family name|nachname|familienname|nom|nom de famille|apellidos|apellido'.split('|'),
);
/** German, where it may stand for the last name. */
const [WHOLE_OR_LAST, BESIDE_LAST] = ['name', 'vorname'];

/** A header without case, accents and punctuation. */
export function plain(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A custom field, which headers are recognised by. */
export interface CustomHeader {
  readonly key: string;
  readonly label: string;
}

/** The field that each header is likely meant for, no field twice but the name in parts; null for none. */
export function suggestFields(
  headers: readonly string[],
  custom: readonly CustomHeader[],
): (string | null)[] {
  const names = headers.map(plain);
  const customOf = new Map<string, string>();
  for (const { key, label } of custom) {
    for (const header of [`custom.${key}`, key, label]) customOf.set(plain(header), `custom.${key}`);
  }
  const best = new Map<string, { index: number; rank: number }>();
  for (const [index, name] of names.entries()) {
    const own = OWN_NAMES.has(name) ? undefined : customOf.get(name);
    const found = own ? undefined : FIELD_OF.get(name);
    const field = own ?? found?.field;
    const rank = found?.rank ?? 0;
    if (field && rank < (best.get(field)?.rank ?? Infinity)) best.set(field, { index, rank });
  }
  const suggested: (string | null)[] = headers.map(() => null);
  for (const [field, { index }] of best) suggested[index] = field;
  const chosen = names[best.get('name')?.index ?? -1] ?? '';
  const isPart = (name: string) => FIRST_NAMES.has(name) || LAST_NAMES.has(name);
  if (isPart(chosen) || (chosen === WHOLE_OR_LAST && names.includes(BESIDE_LAST))) {
    for (const [index, name] of names.entries()) {
      if (isPart(name) && names.indexOf(name) === index) suggested[index] = 'name';
    }
  }
  return suggested;
}

/** Whether a column of several for the name holds the part that comes first. */
export function isFirstName(header: string): boolean {
  return FIRST_NAMES.has(plain(header));
}

/** A name for each column that is unlike every other: headers may be empty, or the same. */
export function columnNames(headers: readonly string[]): string[] {
  const taken = new Set(headers.map((header) => header.trim()).filter(Boolean));
  const used = new Set<string>();
  return headers.map((header, index) => {
    const base = header.trim() || `Column ${index + 1}`;
    let name = base;
    for (let count = 2; used.has(name) || (name !== header.trim() && taken.has(name)); count++) {
      name = `${base} (${count})`;
    }
    used.add(name);
    return name;
  });
}

/** The pattern takes the square of the time of a text. */
const LONGEST_EMAIL = 254;
const EMAIL_LIKE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE_LIKE = /^\+\d[\d ().-]{6,}$/;

/** Whether the first line holds data: no header is an email address or a phone number. */
export function looksLikeData(cells: readonly string[]): boolean {
  return cells.some((cell) => {
    const text = cell.trim();
    return text.length <= LONGEST_EMAIL && (EMAIL_LIKE.test(text) || PHONE_LIKE.test(text));
  });
}
