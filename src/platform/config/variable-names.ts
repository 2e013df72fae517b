/** Every variable that Gala reads, except OpenTelemetry's. */
const VARIABLE_NAMES = [
  'DATABASE_URL',
  'DATA_DIR',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'HTTPS_PORT',
  'LOG_LEVEL',
  'MAIL_FROM',
  'MAX_API_KEYS',
  'MAX_BODY_MEMORY',
  'MAX_CONCURRENT_REQUESTS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'METRICS_PORT',
  'METRICS_TOKEN',
  'PORT',
  'PUBLIC_URL',
  'RATE_LIMIT_FILES',
  'RATE_LIMIT_PAGES',
  'RATE_LIMIT_READS',
  'RATE_LIMIT_WORKSPACE',
  'RATE_LIMIT_WRITES',
  'REDIS_URL',
  'SHUTDOWN_DELAY',
  'SMTP_URL',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'TRUSTED_PROXIES',
  'WEBHOOK_ALLOWED_NETWORKS',
  'WHATSAPP_API_URL',
  'WORKERS',
] as const;

export type VariableName = (typeof VARIABLE_NAMES)[number];

/** Variables of other programs that resemble ours: OpenSSL's is two letters from TLS_CERT_FILE. */
const OTHERS = ['SSL_CERT_FILE'];
/** A name counts as misspelt with up to one wrong letter per this many letters. */
const LETTERS_PER_TYPO = 5;

/**
 * Messages about variables that look like misspelt ones of ours, without their values. A variable whose correct spelling is
 * set as well belongs to another program.
 */
export function misspeltVariables(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (isVariable(name) || OTHERS.includes(name)) return [];
    const meant = VARIABLE_NAMES.find((known) => !environment[known] && looksLike(name.toUpperCase(), known));
    return meant ? [`${name} is not a variable of Gala, and has no effect. Did you mean ${meant}?`] : [];
  });
}

function isVariable(name: string): name is VariableName {
  return (VARIABLE_NAMES as readonly string[]).includes(name);
}

function looksLike(name: string, known: string): boolean {
  const most = Math.max(1, Math.floor(known.length / LETTERS_PER_TYPO));
  return Math.abs(name.length - known.length) <= most && editDistance(name, known) <= most;
}

/** The number of letters to insert, delete, replace, or swap with a neighbour (Damerau–Levenshtein distance). */
function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          rows[row - 1]![column]! + 1,
          current[column - 1]! + 1,
          rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
          isSwap ? rows[row - 2]![column - 2]! + 1 : Infinity,
        ),
      );
    }
    rows.push(current);
  }
  return rows[one.length]![other.length]!;
}
