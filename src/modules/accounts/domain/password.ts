import { codePoints, foldText, textProblem } from '../../../kernel/text';

const MIN_LENGTH = 12;
const MAX_LENGTH = 256;

/**
 * The form in which a password is hashed and compared: keyboards differ in how they compose letters
 * (NIST SP 800-63B section 3.1.1.2).
 */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Why a password must not be chosen, or undefined. Length is what counts; rules about digits and signs only annoy. */
export function passwordProblem(password: string, email: string): string | undefined {
  const length = codePoints(password);
  if (length < MIN_LENGTH)
    return `must have at least ${MIN_LENGTH} characters. A few unrelated words make a good password`;
  if (length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (new Set(password).size < 5) return 'must not repeat the same few characters';
  if (foldText(password).includes(foldText(email))) return 'must not contain your email address';
  return textProblem(password);
}
