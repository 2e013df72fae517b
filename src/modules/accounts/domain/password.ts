import { codePoints, foldText, textProblem } from '../../../kernel/text';

const MIN_LENGTH = 12;
const MAX_LENGTH = 256;

/**
 * The form in which passwords are hashed and compared, because keyboards encode the same letter differently
 * (NIST SP 800-63B section 3.1.1.2).
 */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Why a password is refused, or undefined. Digits and symbols aren't required, because length matters more. */
export function passwordProblem(password: string, email: string): string | undefined {
  const length = codePoints(password);
  if (length < MIN_LENGTH)
    return `must have at least ${MIN_LENGTH} characters. A few unrelated words make a good password`;
  if (length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (new Set(password).size < 5) return 'must contain at least 5 different characters';
  if (foldText(password).includes(foldText(email))) return 'must not contain your email address';
  return textProblem(password);
}
