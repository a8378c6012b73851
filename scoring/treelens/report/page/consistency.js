const form = document.querySelector('form.filters');
const groups = [...document.querySelectorAll('article[data-kind]')];
const filter = () => {
  let shown = 0;
  for (const group of groups) {
    group.hidden = [...form.querySelectorAll('select')].some(
      (choice) => choice.value && group.dataset[choice.name] !== choice.value,
    );
    shown += group.hidden ? 0 : 1;
  }
  form.querySelector('output').textContent = `${shown} of ${groups.length} groups`;
};
form.hidden = false;
form.addEventListener('change', filter);
form.addEventListener('submit', (event) => event.preventDefault());
