import type { Request } from 'express';
import type { Path } from '../../../platform/pages/components/link';

const START: Path = '/settings';
/** Pages that require sign-in. */
const OURS = /^\/(settings|account|invitations|oauth\/authorize)(?=[/?]|$)/;

/** The page to show after sign-in. Addresses of other sites are replaced by the start page, since anyone can write them into a link. */
export function returnPath(text: string): Path {
  const [path = ''] = text.split('?');
  // A browser reads a backslash as a slash, and skips control characters.
  if (!OURS.test(path) || /[\\\s\p{Cc}]/u.test(path)) return START;
  const { pathname, search, origin } = new URL(text, 'http://gala.invalid');
  return origin === 'http://gala.invalid' && OURS.test(pathname) ? `${pathname as Path}${search}` : START;
}

/** The sign-in page, with a way back to the requested page. After a form it leads to the start page: forms are not resubmitted. */
export function signInPath({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): Path {
  const isPage = (method === 'GET' || method === 'HEAD') && OURS.test(originalUrl) && originalUrl !== START;
  return isPage ? `/sign-in?return=${encodeURIComponent(originalUrl)}` : '/sign-in';
}
