import { MODES } from '../../../kernel/principal';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from './area';

const NAMES = { live: 'Live', test: 'Test' };
/** Where the switch leads from a page that has no mode. */
const FIRST_PLACE = ':mode/leads';

interface PageHeaderProps {
  area: Area;
  /** The `path` of the page's entry in the navigation. */
  place: string;
}

/** The mode and the workspace that a page shows. On a phone also the button that opens the navigation. */
export function PageHeader({ area, place }: PageHeaderProps) {
  return (
    <>
      <button type="button" class="menu-button for-phones" popovertarget="navigation">
        Menu
      </button>
      <ModeSwitch area={area} place={place} />
      <button type="button" class="menu-button workspace-button" popovertarget="workspace-menu">
        {area.workspace.name}
      </button>
      <WorkspaceMenu area={area} />
    </>
  );
}

function ModeSwitch({ area, place }: PageHeaderProps) {
  const target = place.includes(':mode') ? place : FIRST_PLACE;
  return (
    <nav aria-label="Mode" class="mode-switch">
      {MODES.map((mode) => (
        <Link to={settingsPath(area, target.replace(':mode', mode))} current={mode === area.browsedMode}>
          {NAMES[mode]}
        </Link>
      ))}
    </nav>
  );
}

function WorkspaceMenu({ area }: { area: Area }) {
  return (
    <div id="workspace-menu" class="menu" popover="auto">
      <p class="menu-title">{area.workspace.name}</p>
      <ul>
        <li>
          <Link to={settingsPath(area, 'workspace')}>Workspace settings</Link>
        </li>
        <li>
          <Link to={settingsPath(area, 'members')}>Members</Link>
        </li>
        <li>
          <Link to="/settings">All your workspaces</Link>
        </li>
      </ul>
      <p class="menu-title">{area.email}</p>
      <ul>
        <li>
          <Link to="/account">Your account</Link>
        </li>
      </ul>
      <Form action="/sign-out">
        <Button kind="secondary">Sign out</Button>
      </Form>
    </div>
  );
}
