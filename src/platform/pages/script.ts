/** Comforts alone: every page does its work without it. */
export const script = /* js */ `'use strict';
for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const status = document.querySelector('[data-copied="' + CSS.escape(button.dataset.copy) + '"]');
  button.hidden = false;
  button.addEventListener('click', async () => {
    const copied = await copy(source);
    status.textContent = '';
    // A status that says the same again is only announced when it was something else in between.
    setTimeout(() => {
      status.textContent = copied ? 'Copied.' : 'This browser doesn’t allow copying. The text is selected: copy it yourself.';
    }, 50);
  });
}

async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // Over plain HTTP there is no clipboard.
    getSelection().selectAllChildren(element);
    return document.execCommand('copy');
  }
}

for (const select of document.querySelectorAll('select[data-autosubmit]')) {
  const hide = (isHidden) => {
    for (const button of select.form.querySelectorAll('button[type="submit"]')) button.hidden = isHidden;
  };
  hide(true);
  // Some browsers report a change for each press of an arrow key: who chooses by keyboard sends with the button.
  let isByKey = false;
  select.addEventListener('keydown', ({ key }) => (isByKey ||= key !== 'Tab'));
  select.addEventListener('pointerdown', () => (isByKey = false));
  select.addEventListener('change', () => (isByKey ? hide(false) : select.form.requestSubmit()));
}

for (const tree of document.querySelectorAll('[data-choice-tree]')) {
  const boxes = [...tree.querySelectorAll('input')];
  const chosen = new Map(boxes.map((box) => [box, box.checked]));
  const takesIn = (one, other) => one !== other && one.value.endsWith('*') && other.value.startsWith(one.value.slice(0, -1));
  const show = () => {
    for (const box of boxes) {
      box.disabled = boxes.some((other) => chosen.get(other) && takesIn(other, box));
      box.checked = box.disabled || chosen.get(box);
    }
  };
  tree.addEventListener('change', ({ target }) => {
    chosen.set(target, target.checked);
    show();
  });
  show();
}

// To show progress.
if (document.querySelector('[data-refresh]')) setTimeout(() => location.reload(), 3000);

let dragged;
for (const input of document.querySelectorAll('input[data-sorts]')) {
  const row = input.closest('tr');
  row.draggable = true;
  row.addEventListener('dragstart', (event) => {
    dragged = row;
    event.dataTransfer.effectAllowed = 'move';
    // Firefox drags nothing without data.
    event.dataTransfer.setData('text/plain', '');
  });
  row.addEventListener('dragover', (event) => {
    if (dragged?.parentNode !== row.parentNode) return;
    event.preventDefault();
    const { top, height } = row.getBoundingClientRect();
    if (dragged !== row) row.parentNode.insertBefore(dragged, event.clientY < top + height / 2 ? row : row.nextSibling);
  });
  row.addEventListener('drop', (event) => event.preventDefault());
  row.addEventListener('dragend', ({ dataTransfer }) => {
    dragged = undefined;
    if (dataTransfer.dropEffect === 'none') location.reload();
    else input.form.requestSubmit();
  });
}

let card;
for (const each of document.querySelectorAll('[data-card]')) {
  each.draggable = true;
  each.addEventListener('dragstart', (event) => {
    card = each;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', '');
  });
  each.addEventListener('dragend', () => (card = undefined));
}
for (const column of document.querySelectorAll('[data-column]')) {
  const show = (isOver) => column.classList.toggle('over', isOver);
  column.addEventListener('dragover', (event) => {
    if (!card) return;
    event.preventDefault();
    show(true);
  });
  column.addEventListener('dragleave', () => show(false));
  column.addEventListener('drop', (event) => {
    event.preventDefault();
    show(false);
    if (!card || column.contains(card)) return;
    const form = card.closest('form');
    for (const box of form.querySelectorAll('[data-card] input')) box.checked = card.contains(box);
    form.elements.stage.value = column.dataset.column;
    form.requestSubmit();
  });
}

document.querySelector('[data-autofocus-problem]')?.focus();
`;
