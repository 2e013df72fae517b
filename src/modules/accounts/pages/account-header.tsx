import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';

/** At the top of every page behind the sign-in: who one is, and the way out. */
export function AccountHeader({ email }: { email: string }) {
  return (
    <>
      <Link to="/account">{email}</Link>
      <Form action="/sign-out" layout="inline">
        <Button kind="secondary">Sign out</Button>
      </Form>
    </>
  );
}
