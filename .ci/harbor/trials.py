"""trials.py SCRATCH TASKS...: two tasks of each folder as trials of the package harbor, in folders
that stand for the containers: its agent `oracle` runs solve.sh, its agent `nop` nothing, and its
verifier uploads and runs the tests. The first gets the reward 1, the second 0."""
import asyncio, json, os, pathlib, re, subprocess, sys

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.trial.trial import Trial

# Folders that a container has of its own, where a text names them; the Python of the image is this one.
OWN = re.compile(r"(?<![\w.-])/(?=(?:app|logs|opt|run|solution|tests|var)(?:[/\"\s]|$))")
PYTHON = re.compile(r"/usr/local/bin/python3|/opt/aar/python-nobody")


class Folders(BaseEnvironment):
    """The containers of a task as one folder, in which paths of the containers become its own."""

    capabilities = EnvironmentCapabilities(disable_internet=True, docker_compose=True)
    server = None

    @staticmethod
    def type():
        return "folders"

    def _validate_definition(self):
        assert (self.environment_dir / "Dockerfile").exists()

    def there(self, text):
        return OWN.sub(f"{self.root}/", PYTHON.sub(sys.executable, text))

    def place(self, path):
        return pathlib.Path(self.there(f"{path}/"))

    async def start(self, force_build):
        self.root = self.trial_paths.trial_dir / "containers"
        for name in ("app", "logs/agent", "logs/artifacts", "logs/verifier", "var/log/wikinav", "var/log/aar"):
            (self.root / name).mkdir(parents=True)
        for image in self.environment_dir.glob("Dockerfile*"):
            for names, target in re.findall(r"^COPY (.*) (\S+)$", image.read_text(), re.M):
                for name in names.split():
                    to = target + name if target.endswith("/") else target
                    await self.upload(self.environment_dir / name, self.root / to.lstrip("/"))
        compose = self.environment_dir / "docker-compose.yaml"
        if compose.exists():
            text = self.there(compose.read_text())
            server = text.split("    network_mode: none\n")[1].split("    healthcheck:")[0]
            command = re.findall(r"^      - (\S+)$", server, re.M)
            socket, = map(pathlib.Path, re.findall(r"test: \[CMD, test, -S, (\S+)\]", text))
            socket.parent.mkdir(parents=True)
            self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not socket.exists():
                assert self.server.poll() is None, command
                await asyncio.sleep(0.02)

    async def stop(self, delete):
        if self.server:
            self.server.terminate()
            assert self.server.wait() == 0

    async def upload(self, source, target):
        """Puts a file or folder at its place; scripts find their paths there, all else is the same file."""
        for file in [source, *source.rglob("*")]:
            to = target / file.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            if file.is_file() and file.open("rb").read(2) == b"#!" or file.suffix == ".py":
                to.write_text(self.there(file.read_text()))
                to.chmod(0o755)
            elif file.is_file() and not to.exists():
                to.hardlink_to(file)

    async def upload_file(self, source_path, target_path):
        await self.upload(pathlib.Path(source_path), self.place(target_path))

    async def upload_dir(self, source_dir, target_dir):
        await self.upload(pathlib.Path(source_dir), self.place(target_dir))

    async def download_file(self, source_path, target_path):
        pathlib.Path(target_path).write_bytes(self.place(source_path).read_bytes())

    async def download_dir(self, source_dir, target_dir):
        for file in self.place(source_dir).iterdir():
            (pathlib.Path(target_dir) / file.name).write_bytes(file.read_bytes())

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        paths = {"PATH": f"{self.root}/usr/local/bin:{os.environ['PATH']}"}
        done = subprocess.run(["/bin/sh", "-c", self.there(command)], cwd=self.root / "app", env=os.environ | paths,
                              capture_output=True, text=True)
        return ExecResult(stdout=done.stdout, stderr=done.stderr, return_code=done.returncode)


async def reward(task, agent, scratch):
    trial = await Trial.create(TrialConfig(
        task=TaskConfig(path=task), trials_dir=scratch, agent=AgentConfig(name=agent),
        environment=EnvironmentConfig(import_path=f"{Folders.__module__}:Folders"),
    ))
    result = await trial.run()
    assert result.exception_info is None, (task, result.exception_info)
    return result.verifier_result.rewards["reward"]


async def main(scratch, *folders):
    for folder in folders:
        tasks = json.loads((folder / "registry.json").read_text())[0]["tasks"]
        for task in (tasks[0], tasks[-1]):
            got = {agent: await reward(folder / task["path"], agent, scratch) for agent in ("nop", "oracle")}
            assert got == {"nop": 0, "oracle": 1}, (task, got)
            print(f"{folder.name}: {task['name']} as trials of harbor: {got}")


if __name__ == "__main__":
    asyncio.run(main(*(pathlib.Path(arg).resolve() for arg in sys.argv[1:])))
