import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

interface PageContext {
  /** What stands before every path when a proxy serves Gala under a prefix; otherwise empty. */
  readonly basePath: string;
  /** What every form has to carry. */
  readonly csrfToken: string;
  readonly now: Date;
}

const Context = createContext<PageContext>({ basePath: '', csrfToken: '', now: new Date(0) });

export const PageContextProvider = Context.Provider;
export const usePage = (): PageContext => useContext(Context);
