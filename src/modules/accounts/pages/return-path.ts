import type { Request } from 'express';
import type { Path } from '../../../platform/pages/components/link';

const START: Path = '/settings';
/** Pages that people are sent to sign in from. */
const OURS = /^\/(settings|account|invitations|oauth\/authorize)(?=[/?]|$)/;

/** Where somebody goes after signing in: only ever a page of ours, whatever the address that led here says. */
export function returnPath(text: string): Path {
  const [path = ''] = text.split('?');
  // A browser reads a backslash as a slash, and skips control characters.
  if (!OURS.test(path) || /[\\\s\p{Cc}]/u.test(path)) return START;
  const { pathname, search, origin } = new URL(text, 'http://gala.invalid');
  return origin === 'http://gala.invalid' && OURS.test(pathname) ? `${pathname as Path}${search}` : START;
}

/** The sign-in page, which leads back to the page that was asked for; a form can't be sent again after it. */
export function signInPath({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): Path {
  const isPage = (method === 'GET' || method === 'HEAD') && OURS.test(originalUrl) && originalUrl !== START;
  return isPage ? `/sign-in?return=${encodeURIComponent(originalUrl)}` : '/sign-in';
}
