"""trials.py SCRATCH TASKS...: two games of links of each folder as trials of the package harbor, in
folders that stand for the containers: its agent `oracle` runs solve.sh, its agent `nop` nothing, and
its verifier uploads and runs the tests. The first gets the reward 1, the second 0."""
import asyncio, pathlib, shutil, sys

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.trial.trial import Trial

import links


class Folders(BaseEnvironment):
    """The containers of a task as folders, in which paths of the containers become theirs."""

    capabilities = EnvironmentCapabilities(disable_internet=True, docker_compose=True)

    @staticmethod
    def type():
        return "folders"

    def _validate_definition(self):
        assert (self.environment_dir / "docker-compose.yaml").exists()

    async def start(self, force_build):
        self.box = links.Containers(self.environment_dir.parent, self.trial_paths.trial_dir / "containers")
        for name in ("tests", "solution"):
            self.box.paths |= {f"/{name}/": f"{self.box.root}/{name}/", f'"/{name}"': f'"{self.box.root}/{name}"'}
        for name in ("agent", "artifacts", "verifier"):
            (self.box.root / "logs" / name).mkdir()
        self.box.start()

    async def stop(self, delete):
        self.box.stop()

    def place(self, path):
        return pathlib.Path(self.box.there(f"{path}/").rstrip("/"))

    async def upload_file(self, source_path, target_path):
        source, target = pathlib.Path(source_path), self.place(target_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in (".sh", ".py"):
            target.write_text(self.box.there(source.read_text()))
        else:
            target.hardlink_to(source)  # of the same scratch folder

    async def upload_dir(self, source_dir, target_dir):
        for source in pathlib.Path(source_dir).rglob("*"):
            if source.is_file():
                await self.upload_file(source, f"{target_dir}/{source.relative_to(source_dir)}")

    async def download_file(self, source_path, target_path):
        shutil.copy(self.place(source_path), target_path)

    async def download_dir(self, source_dir, target_dir):
        shutil.copytree(self.place(source_dir), target_dir, dirs_exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        done = self.box.script(self.box.there(command), check=False)
        return ExecResult(stdout=done.stdout, stderr=done.stderr, return_code=done.returncode)


async def reward(task, agent, scratch):
    trial = await Trial.create(TrialConfig(
        task=TaskConfig(path=task), trials_dir=scratch, agent=AgentConfig(name=agent),
        environment=EnvironmentConfig(import_path=f"{Folders.__module__}:Folders"),
    ))
    result = await trial.run()
    assert result.exception_info is None, (task, result.exception_info)
    return result.verifier_result.rewards


async def main(scratch, *folders):
    for folder in folders:
        played = []
        for task in links.paths(folder)[:2]:
            nothing, solved = [await reward(task, agent, scratch) for agent in ("nop", "oracle")]
            assert nothing == {"reward": 0, "turns": 0, "suboptimal": 0, "loops": 0}, (task, nothing)
            assert (solved["reward"], solved["suboptimal"]) == (1, 0) and solved["turns"] > 0, (task, solved)
            played.append(solved["turns"])
        print(f"{folder.name}: {len(played)} tasks as trials of harbor: nop 0, oracle 1 in {played} turns")


if __name__ == "__main__":
    asyncio.run(main(*(pathlib.Path(arg).resolve() for arg in sys.argv[1:])))
