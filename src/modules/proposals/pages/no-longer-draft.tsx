import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import type { FormInput } from '../../../platform/pages/form-input';

export function isNoLongerDraft(form: FormInput): boolean {
  return form.problem('status') !== undefined || form.problem('archivedAt') !== undefined;
}

/** For forms of a draft that was sent or archived while they were filled in. */
export function NoLongerDraft({ current }: { current?: Path }) {
  return (
    <Notice kind="danger" title="This proposal is no longer a draft">
      Somebody sent or archived it meanwhile, so nothing was saved. The form has all that you typed.{' '}
      {current && <Link to={current}>See the proposal as it is now</Link>}
    </Notice>
  );
}
