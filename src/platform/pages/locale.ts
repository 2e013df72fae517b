import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

const Context = createContext('en-GB');

/** How the people of a workspace write dates: a BCP 47 locale, around the part of a page that belongs to the workspace. */
export const LocaleProvider = Context.Provider;
export const useLocale = (): string => useContext(Context);
