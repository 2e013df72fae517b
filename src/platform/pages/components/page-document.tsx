import type { ComponentChildren } from 'preact';
import { ICON_PATH, SCRIPT_PATH, STYLESHEET_PATH } from '../assets';
import { usePage } from '../page-context';
import { Link } from './link';

interface PageDocumentProps {
  /** The title of the window and the heading of the page. */
  title: string;
  /** A sentence or two under the heading. */
  intro?: ComponentChildren;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  /** The data that the page shows. Test pages look different. */
  mode?: 'live' | 'test';
  /** The end of the header, such as the signed-in user. */
  header?: ComponentChildren;
  /** A NavList beside the page. */
  nav?: ComponentChildren;
  /** For a single short form, such as sign-in. */
  narrow?: boolean;
  children: ComponentChildren;
}

export function PageDocument(props: PageDocumentProps) {
  const { title, intro, actions, mode = 'live', header, nav, narrow, children } = props;
  return (
    <html lang="en" data-mode={mode}>
      <Head title={`${mode === 'test' ? 'Test: ' : ''}${title} · Gala`} />
      <body>
        <a class="skip-link" href="#main">
          Skip to the content
        </a>
        {mode === 'test' && <TestBand />}
        <Header>{header}</Header>
        <div class={['frame', nav && 'with-nav', narrow && 'narrow'].filter(Boolean).join(' ')}>
          {nav && <div class="frame-nav">{nav}</div>}
          <main id="main" tabindex={-1}>
            <div class="heading">
              <div>
                <h1>{title}</h1>
                {intro && <div class="intro">{intro}</div>}
              </div>
              {actions && <div class="actions">{actions}</div>}
            </div>
            {children}
          </main>
        </div>
        <footer class="footer">
          <span>Gala</span>
          <Link to="/docs">API reference</Link>
        </footer>
      </body>
    </html>
  );
}

/** `title` is the window's, `accent` the path of a stylesheet with another accent colour. */
export function Head({ title, accent }: { title: string; accent?: `/${string}` }) {
  const { basePath } = usePage();
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={basePath + ICON_PATH} />
      <link rel="stylesheet" href={basePath + STYLESHEET_PATH} />
      {accent && <link rel="stylesheet" href={basePath + accent} />}
      <script src={basePath + SCRIPT_PATH} defer />
    </head>
  );
}

function TestBand() {
  return (
    <aside class="test-band" aria-label="Mode">
      <strong>Test mode: sandbox data.</strong>{' '}
      <span>Nothing here is real, and no messages reach your guests.</span>
    </aside>
  );
}

function Header({ children }: { children: ComponentChildren }) {
  const { basePath } = usePage();
  return (
    <header class="header">
      <Link to="/" class="brand">
        <img src={basePath + ICON_PATH} alt="" width="28" height="28" />
        Gala
      </Link>
      {children && <div class="header-end">{children}</div>}
    </header>
  );
}
