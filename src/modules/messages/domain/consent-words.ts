interface Words {
  readonly name: string;
  readonly stop: readonly string[];
  readonly start: readonly string[];
}

/** English is always recognised, the others if a workspace chooses them: a word can mean something else elsewhere. */
const WORDS = {
  en: {
    name: 'English',
    stop: ['stop', 'stop all', 'unsubscribe', 'opt out'],
    start: ['start', 'unstop', 'opt in'],
  },
  ca: { name: 'Catalan', stop: ['atura', 'baixa'], start: ['comença', 'alta'] },
  de: { name: 'German', stop: ['stopp', 'abmelden', 'abbestellen'], start: ['starten', 'anmelden'] },
  es: { name: 'Spanish', stop: ['baja', 'parar', 'alto'], start: ['alta', 'iniciar'] },
  fr: { name: 'French', stop: ['arret', 'arreter', 'desabonner'], start: ['demarrer', 'reprendre'] },
  it: { name: 'Italian', stop: ['basta', 'ferma', 'disiscrivi'], start: ['inizia', 'iscrivi'] },
  nl: { name: 'Dutch', stop: ['afmelden', 'stoppen'], start: ['aanmelden', 'beginnen'] },
  pl: { name: 'Polish', stop: ['rezygnuje', 'wypisz'], start: ['zapisz', 'wznow'] },
  pt: { name: 'Portuguese', stop: ['parar', 'sair', 'cancelar inscricao'], start: ['iniciar', 'voltar'] },
} satisfies Record<string, Words>;

type ConsentLanguage = keyof typeof WORDS;

export const CONSENT_LANGUAGES = Object.entries(WORDS).map(([code, { name, stop, start }]) => ({
  code: code as ConsentLanguage,
  name,
  stop: stop[0]!,
  start: start[0]!,
}));

/** The decision of a reply that consists of one of the words for STOP or START, and nothing else. */
export function consentIn(text: string, languages: readonly string[]): 'stop' | 'start' | undefined {
  const word = plain(text);
  const tables: Words[] = [...new Set(['en', ...languages])].flatMap((code) =>
    Object.hasOwn(WORDS, code) ? WORDS[code as ConsentLanguage] : [],
  );
  const says = (kind: 'stop' | 'start') =>
    tables.some((table) => table[kind].some((each) => plain(each) === word));
  // A word that means START in one language and STOP in another stops: when in doubt, nobody gets unwanted messages.
  return says('stop') ? 'stop' : says('start') ? 'start' : undefined;
}

/** Without case, accents, punctuation and surplus space. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
